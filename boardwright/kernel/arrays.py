"""Types of arrays, by what they hold."""

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]
Int8s = NDArray[np.int8]
Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
UInt8s = NDArray[np.uint8]
UInt16s = NDArray[np.uint16]
UInt64s = NDArray[np.uint64]
Float32s = NDArray[np.float32]
Float64s = NDArray[np.float64]
