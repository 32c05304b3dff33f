// Runs the firmware's core in MicroPython. Each line on standard input is one turn of the loop:
// "step NOW LEVELS HEX" is answered by "HEX LAMPS LIGHT TONE HOST", HEX "-" if there is nothing;
// "memory" by the bytes the core takes;
// "time N" by the milliseconds of each of N turns with outputs to take in.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { loadMicroPython } from "@micropython/micropython-webassembly-pyscript/micropython.mjs";

const folder = process.argv[2];
const python = await loadMicroPython({ heapsize: 256 * 1024 });
for (const name of ["wire", "debounce", "core"]) {
  python.FS.writeFile(`/${name}.py`, readFileSync(`${folder}/${name}.py`, "utf8"));
}
python.runPython(`
import gc
gc.collect()
before = gc.mem_alloc()
import wire
from core import Core
core = Core(7, 6, 7, "micropython")

def turn(now, levels, received):
    sent = core.step(now, bytes.fromhex(received) if received else b"", levels)
    return " ".join((sent.hex() if sent else "-", core.lamps.hex(), str(core.light), str(core.tone), str(int(core.host))))

def outputs():
    fields = {"revision": 1, "light": 1, "tone": 0, "lamps": bytes(24)}
    return wire.frame(1, wire.pack(wire.OUTPUT, fields)).hex()

def memory():
    gc.collect()
    return gc.mem_alloc() - before
`);
const turn = python.globals.get("turn");
const memory = python.globals.get("memory");
for await (const line of createInterface({ input: process.stdin })) {
  const [word, now, levels, received] = line.split(" ");
  if (word === "memory") {
    console.log(memory());
  } else if (word === "time") {
    const taken = [];
    const hex = python.globals.get("outputs")();
    for (let n = 0; n < Number(now); n++) {
      const start = performance.now();
      turn(1e6 + n, n & 1, hex);
      taken.push(performance.now() - start);
    }
    console.log(taken.join(" "));
  } else {
    console.log(turn(Number(now), Number(levels), received ?? ""));
  }
}
