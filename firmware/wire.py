"""The wire between the Pi and the seat pods: frames, messages, and what each message holds.

One definition for both sides, in the part of Python that MicroPython has.

A frame is

    0x7E | length of the payload, 1..64 | sequence number, 0..255 | payload | CRC-16, high byte first

The CRC (CCITT: polynomial 0x1021, start 0xFFFF) covers length, sequence number and payload. A payload
is one byte that names the message, then its fields, big-endian. A receiver that finds anything wrong
drops one byte and looks for the next 0x7E, so it is never out of step for longer than a frame.

Nothing relies on a frame arriving. What must not be lost is numbered and sent again until the other
side has acknowledged it (see `core.py` and the host's `pods.py`): button events by their number since
the pods' start (`boot`), outputs by their revision. What changes anything carries a second check of its
own, since among millions of mangled frames a sixteen-bit CRC lets some through. README.md has it all.
"""

from array import array

PROTOCOL = 1
SYNC = 0x7E
LONGEST = 64  # bytes of payload
PODS = 6

HELLO_PLEASE = 1  # host → pods
HELLO = 2  # pods → host
BEAT = 3  # both ways
EVENT = 4  # pods → host
EVENT_SEEN = 5  # host → pods
OUTPUT = 6  # host → pods
OUTPUT_DONE = 7  # pods → host
MAINTENANCE = 8  # host → pods: start again without the pods' program; the same in every version of the wire

# What a message's fields are: name and width in bytes; a width of 0 is text up to the payload's end.
# HELLO's `protocol` and `boot` and all of MAINTENANCE stay as they are in every version of the wire: only
# so can a host bring a board of another version to the prompt, to be flashed.
FIELDS = {
    HELLO_PLEASE: (("protocol", 1),),
    HELLO: (
        ("protocol", 1),
        ("boot", 4),
        ("time", 4),
        ("first", 4),
        ("pods", 1),
        ("capabilities", 1),
        ("check", 2),
        ("text", 0),
    ),
    BEAT: (("boot", 4), ("time", 4), ("revision", 4)),
    EVENT: (("boot", 4), ("number", 4), ("time", 4), ("pod", 1), ("button", 1), ("down", 1), ("check", 2)),
    EVENT_SEEN: (("boot", 4), ("number", 4), ("check", 2)),
    OUTPUT: (("revision", 4), ("light", 1), ("tone", 1), ("lamps", 4 * PODS), ("check", 2)),
    OUTPUT_DONE: (("boot", 4), ("revision", 4), ("check", 2)),
    MAINTENANCE: (("boot", 4), ("check", 2)),
}

# Capabilities of the pods, as bits.
HAS_LAMPS = 1
HAS_LIGHT = 2
HAS_BUZZER = 4

# Lamp patterns, the fourth byte of a lamp after red, green and blue.
STEADY = 0
BLINK = 1
PULSE = 2

# Tones of the buzzer: a number is the place of its frequency in TONES_HZ.
TONES_HZ = (0, 880, 440, 1320, 220)
QUIET = 0
TONE_DISPUTE = 2
TONE_WINNER = 3
TONE_WRONG = 4

# Buttons of a pod.
TAKE = 0  # take, draw, pass
CALL = 1  # call


def _table(polynomial: int) -> "array[int]":
    """What each byte does to a CRC of this polynomial: a loop over bits would be too slow on the Pico."""
    table = array("H", (0 for _ in range(256)))
    for byte in range(256):
        crc = byte << 8
        for _ in range(8):
            crc = (crc << 1) ^ polynomial if crc & 0x8000 else crc << 1
        table[byte] = crc & 0xFFFF
    return table


_FRAME_TABLE = _table(0x1021)
_CHECK_TABLE = _table(0x8005)


def crc16(data: bytes | bytearray, crc: int = 0xFFFF, table: "array[int]" = _FRAME_TABLE) -> int:
    """CRC-16, most significant bit first, of some bytes."""
    for byte in data:
        crc = (crc << 8 & 0xFF00) ^ table[crc >> 8 ^ byte]
    return crc


def frame(sequence: int, payload: bytes) -> bytes:
    """The bytes of one frame (ValueError if the payload is empty or too long)."""
    if not 1 <= len(payload) <= LONGEST:
        raise ValueError(f"a payload has 1 to {LONGEST} bytes")
    body = bytes((len(payload), sequence & 0xFF)) + payload
    crc = crc16(body)
    return bytes((SYNC,)) + body + bytes((crc >> 8, crc & 0xFF))


def pack(kind: int, fields: dict[str, int | bytes | str]) -> bytes:
    """The payload of a message from its fields; a field `check` is filled in here."""
    payload = bytes((kind,))
    for name, width in FIELDS[kind]:
        value = second_check(payload) if name == "check" else fields[name]
        if isinstance(value, str):
            payload += value.encode()[: LONGEST - len(payload)]
        elif isinstance(value, (bytes, bytearray)):
            if len(value) != width:
                raise ValueError(f"{name} has {width} bytes, not {len(value)}")
            payload += bytes(value)
        else:
            payload += value.to_bytes(width, "big")
    return payload


def unpack(payload: bytes) -> tuple[int, dict[str, int | bytes | str]] | None:
    """(kind, fields) of a payload, or None if it is no message of this protocol."""
    kind = payload[0]
    if kind not in FIELDS:
        return None
    fields: dict[str, int | bytes | str] = {}
    if kind == HELLO and len(payload) > 5 and payload[1] != PROTOCOL:
        # Another version: these two are in their places in every one, the rest may be anything.
        return (HELLO, {"protocol": payload[1], "boot": int.from_bytes(payload[2:6], "big")})
    at = 1
    for name, width in FIELDS[kind]:
        if width == 0:
            try:
                fields[name] = bytes(payload[at:]).decode()
            except (UnicodeError, ValueError):
                return None
            at = len(payload)
            continue
        raw = bytes(payload[at : at + width])
        if len(raw) != width:
            return None
        if width > 4:
            fields[name] = raw
        else:
            fields[name] = int.from_bytes(raw, "big")
        if name == "check" and fields[name] != second_check(payload[:at]):
            return None
        at += width
    return (kind, fields) if at == len(payload) else None


def second_check(data: bytes) -> int:
    """The second check of a message: a CRC-16 with another polynomial (0x8005) and start (0x1D0F)."""
    return crc16(data, 0x1D0F, _CHECK_TABLE)


class Receiver:
    """Finds frames in a stream of bytes that may be cut, mangled or doubled.

    `dropped` counts the bytes that belonged to no good frame.
    """

    def __init__(self) -> None:
        self.buffer = bytearray()
        self.dropped = 0

    def feed(self, data: bytes) -> list[tuple[int, bytes]]:
        """The (sequence, payload) of every good frame completed by these bytes, in order."""
        buffer = self.buffer
        buffer.extend(data)
        found = []
        start = 0
        end = len(buffer)
        while start < end:
            if buffer[start] != SYNC:
                start += 1
                self.dropped += 1
                continue
            if end - start < 3:
                break
            length = buffer[start + 1]
            if not 1 <= length <= LONGEST:
                start += 1
                self.dropped += 1
                continue
            total = length + 5
            if end - start < total:
                break
            body = buffer[start + 1 : start + 3 + length]
            crc = crc16(body)
            if buffer[start + total - 2] != crc >> 8 or buffer[start + total - 1] != crc & 0xFF:
                start += 1
                self.dropped += 1
                continue
            found.append((body[1], bytes(body[2:])))
            start += total
        self.buffer = buffer[start:]
        return found

    def clear(self) -> None:
        """Forgets a frame begun: after the port was opened anew, or after a silence."""
        self.dropped += len(self.buffer)
        self.buffer = bytearray()
