"""The camera of the simulated table: a pinhole with a lens, hung above the middle of the table.

Table coordinates are those of vision.types, with heights above the table in millimetres.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.types import Points

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Camera:
    """Where the camera hangs and what its lens does.

    `pixels_per_mm`: at the middle of the table. `tilt`, `lean`, `roll`: degrees out of the plumb,
    towards the far side, to the right, and about its own axis. `aim_x`, `aim_y`: millimetres that the
    table's middle lies off the optical axis. `k1`, `k2`: radial distortion (Brown 1971); negative is a
    barrel. `focal`: in picture widths; 0.8 is a webcam's.
    """

    width: int = 1280
    height: int = 720
    pixels_per_mm: float = 1.4
    tilt: float = 0.0
    lean: float = 0.0
    roll: float = 0.0
    aim_x: float = 0.0
    aim_y: float = 0.0
    k1: float = -0.06
    k2: float = 0.01
    focal: float = 0.8

    @classmethod
    def random(cls, rng: np.random.Generator, width: int = 1280, height: int = 720) -> Camera:
        """A camera as somebody mounts it: nearly plumb, nearly straight, nearly in the middle."""
        return cls(
            width=width,
            height=height,
            pixels_per_mm=float(rng.uniform(1.32, 1.44)) * height / 720,
            tilt=float(rng.uniform(-6, 6)),
            lean=float(rng.uniform(-4, 4)),
            roll=float(rng.uniform(-3, 3)),
            aim_x=float(rng.uniform(-15, 15)),
            aim_y=float(rng.uniform(-6, 6)),
            k1=float(rng.uniform(-0.12, 0.0)),
        )

    @cached_property
    def intrinsics(self) -> Matrix:
        """The 3×3 matrix of the lens: focal length and middle of the picture, in pixels."""
        focal = self.focal * self.width
        return np.array(
            [[focal, 0, (self.width - 1) / 2], [0, focal, (self.height - 1) / 2], [0, 0, 1]], np.float64
        )

    @cached_property
    def distortion(self) -> Matrix:
        """OpenCV's distortion coefficients (k1, k2, p1, p2)."""
        return np.array([self.k1, self.k2, 0.0, 0.0])

    @cached_property
    def rotation(self) -> Matrix:
        """3×3, from the table's axes (x right, y down the picture, z into the table) to the camera's."""
        a, b, c = np.radians([self.tilt, self.lean, self.roll])
        about_x = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
        about_y = np.array([[np.cos(b), 0, np.sin(b)], [0, 1, 0], [-np.sin(b), 0, np.cos(b)]])
        about_z = np.array([[np.cos(c), -np.sin(c), 0], [np.sin(c), np.cos(c), 0], [0, 0, 1]])
        rotation: Matrix = about_z @ about_y @ about_x
        return rotation

    @cached_property
    def translation(self) -> Matrix:
        """The table's middle in the camera's axes, millimetres."""
        return np.array([self.aim_x, self.aim_y, self.focal * self.width / self.pixels_per_mm])

    @cached_property
    def position(self) -> Matrix:
        """The camera's place in table axes (z into the table, so it is negative)."""
        position: Matrix = -self.rotation.T @ self.translation
        return position

    @property
    def homography(self) -> Matrix:
        """3×3 from table millimetres to pixels, for a lens without distortion."""
        matrix = self.intrinsics @ np.column_stack([self.rotation[:, :2], self.translation])
        normed: Matrix = matrix / matrix[2, 2]
        return normed

    def to_picture(self, table_points: ArrayLike, height: float = 0.0) -> Points:
        """Pixels (N×2) of points (N×2, mm) `height` millimetres above the table."""
        flat = np.asarray(table_points, np.float64).reshape(-1, 2)
        space = np.column_stack([flat, np.full(len(flat), -height)])
        turn, _ = cv2.Rodrigues(self.rotation)
        pixels, _ = cv2.projectPoints(space, turn, self.translation, self.intrinsics, self.distortion)
        return np.asarray(pixels, np.float32).reshape(-1, 2)

    def to_table(self, pixels: ArrayLike) -> Points:
        """The table points (N×2, mm, height 0) seen at pixels (N×2)."""
        flat = np.asarray(pixels, np.float64).reshape(-1, 1, 2)
        rays = cv2.undistortPoints(flat, self.intrinsics, self.distortion).reshape(-1, 2)
        directions = np.column_stack([rays, np.ones(len(rays))]) @ self.rotation
        reach = -self.position[2] / directions[:, 2]
        return np.asarray(self.position[:2] + directions[:, :2] * reach[:, None], np.float32)

    @cached_property
    def table_map(self) -> NDArray[np.float32]:
        """For each pixel the table point seen there: height×width×2, mm. Computed once a camera."""
        step = 8
        columns = np.arange(0, self.width + step, step)
        rows = np.arange(0, self.height + step, step)
        grid = np.stack(np.meshgrid(columns, rows), -1).reshape(-1, 2)
        coarse = self.to_table(grid).reshape(len(rows), len(columns), 2)
        x, y = np.meshgrid(np.arange(self.width) / step, np.arange(self.height) / step)
        # The mapping bends by far less than a pixel within eight: linear between the knots is exact enough.
        return np.asarray(
            cv2.remap(coarse, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR), np.float32
        )
