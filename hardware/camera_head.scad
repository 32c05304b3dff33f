// The head of the camera arm: a sleeve over the end of the batten, below it a plate for a Camera Module 3, looking
// straight down. Print it standing on the open end of the sleeve, without supports. Two M3 × 16 screws clamp it;
// the board is held by four M2 × 10 screws with nuts.
//   openscad -o camera-head.stl camera_head.scad
include <numbers.scad>

$fn = 48;

inside_wide = batten_wide + gap;
inside_high = batten_high + gap;
outside_wide = inside_wide + 2 * wall;
outside_high = inside_high + 2 * wall;
rows = board_short - board_edge - holes_short / 2; // from the middle of the holes to the board's edge with the plug
middle = rows + wall; // of the holes, from the end of the sleeve
plate = middle + holes_short / 2 + board_edge + wall;

// Along z: the batten. y: up, seen from the table.
module sleeve() {
  difference() {
    translate([-outside_wide / 2, -outside_high / 2, 0]) cube([outside_wide, outside_high, head_long]);
    translate([-inside_wide / 2, -inside_high / 2, -1]) cube([inside_wide, inside_high, head_long + 2]);
    for (z = [head_long / 4, head_long * 3 / 4])
      translate([0, outside_high / 2 + 1, z]) rotate([90, 0, 0]) cylinder(d = screw_hole, h = wall + 2);
  }
}

module at_board_holes() {
  for (x = [-1, 1], z = [-1, 1])
    translate([x * holes_long / 2, 0, middle + z * holes_short / 2]) rotate([-90, 0, 0]) children();
}

// Goes on from the under side of the sleeve. The board lies on it, its lens looks down through the window, its plug
// lies on top, towards the batten.
module camera_plate() {
  translate([0, -outside_high / 2, head_long]) difference() {
    union() {
      translate([-outside_wide / 2, 0, -0.1]) cube([outside_wide, wall, plate + 0.1]);
      at_board_holes() cylinder(d = board_hole + 2 * wall, h = wall + stand_off);
      // Cheeks that keep the plate from swaying.
      for (x = [-outside_wide / 2, outside_wide / 2 - wall])
        hull() {
          translate([x, 0, -0.1]) cube([wall, outside_high, 0.1]);
          translate([x, 0, -0.1]) cube([wall, wall, plate + 0.1]);
        }
    }
    translate([0, -1, 0]) at_board_holes() cylinder(d = board_hole, h = wall + stand_off + 2);
    translate([-window_long / 2, -1, middle - window_short / 2]) cube([window_long, wall + stand_off + 2, window_short]);
  }
}

sleeve();
camera_plate();
