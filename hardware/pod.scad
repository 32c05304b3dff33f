// A seat pod: two push buttons, "take" and "call", with the lamp between them. Print box and lid as they lie,
// without supports; close them with two M3 × 10 screws from below.
//   openscad -D 'part="box"' -o pod-box.stl pod.scad
//   openscad -D 'part="lid"' -o pod-lid.stl pod.scad
include <numbers.scad>

part = "both"; // [both, box, lid]
$fn = 48;

post = screw_hole + 2 * wall;
inner_length = pod_length - 2 * wall;
inner_width = pod_width - 2 * wall;

module rounded(length, width, height, radius) {
  linear_extrude(height) offset(radius) square([length - 2 * radius, width - 2 * radius], center = true);
}

// Upside down: the panel with the buttons lies on the printer's bed.
module box() {
  difference() {
    union() {
      difference() {
        rounded(pod_length, pod_width, pod_height, 5);
        translate([0, 0, wall]) rounded(inner_length, inner_width, pod_height, 5 - wall);
      }
      for (side = [-1, 1]) translate([side * (inner_length - post) / 2, 0, 0]) post_in_corner();
    }
    for (side = [-1, 1]) {
      translate([side * button_apart / 2, 0, -1]) cylinder(d = button_hole, h = wall + 2);
      translate([side * (inner_length - post) / 2, 0, wall + 4]) cylinder(d = screw_hole, h = pod_height);
    }
    translate([0, 0, -1]) cylinder(d = lamp_hole, h = wall + 2);
    // The cable leaves at the edge of the lid, which holds it.
    translate([-cable_wide / 2, inner_width / 2 - 1, pod_height - wall - cable_high])
      cube([cable_wide, 2 * wall + 2, cable_high + wall + 1]);
  }
}

module post_in_corner() {
  translate([0, 0, wall - 0.1]) cylinder(d = post, h = pod_height - 2 * wall - gap + 0.1);
}

module lid() {
  difference() {
    union() {
      rounded(inner_length - 2 * gap, inner_width - 2 * gap, wall, 5 - wall);
      translate([-cable_wide / 2 + gap, inner_width / 2 - gap - 0.1, 0]) cube([cable_wide - 2 * gap, wall + gap, wall]);
    }
    for (side = [-1, 1])
      translate([side * (inner_length - post) / 2, 0, -1]) cylinder(d = screw_free, h = wall + 2);
  }
}

if (part != "lid") box();
if (part == "lid") lid();
if (part == "both") translate([0, pod_width + 10, 0]) lid();
