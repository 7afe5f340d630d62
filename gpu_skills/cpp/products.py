from dataclasses import dataclass
@dataclass(frozen=True, slots=True)
class Blocks:
    tile_rows: int; tile_vectors: int; block_rows: int; block_columns: int; block_depth: int
    @staticmethod
    def of(lanes): return (12, 2, 96, 256, 256) if lanes==16 else (6,2,96,256,256)
product=None
