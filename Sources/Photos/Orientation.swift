import CPhoto

/// The orientation of a stored picture: the value of the EXIF tag 0x0112.
///
/// The names state the position of the first row and the first column of the stored picture in the upright
/// one.
public enum Orientation: Int, Sendable, Hashable, CaseIterable {
    /// Stored upright.
    case topLeft = 1
    /// Mirrored left to right.
    case topRight = 2
    /// Turned by 180°.
    case bottomRight = 3
    /// Mirrored top to bottom.
    case bottomLeft = 4
    /// Mirrored along the diagonal from the top left.
    case leftTop = 5
    /// To be turned 90° clockwise.
    case rightTop = 6
    /// Mirrored along the diagonal from the top right.
    case rightBottom = 7
    /// To be turned 90° counter-clockwise.
    case leftBottom = 8

    /// Whether width and height are swapped.
    public var isTransposed: Bool { rawValue >= 5 }

    /// The corner of the stored picture that becomes the top left of the upright one.
    private var turn: (fromRight: Bool, fromBottom: Bool) {
        switch self {
        case .topLeft, .leftTop: (false, false)
        case .topRight, .leftBottom: (true, false)
        case .bottomRight, .rightBottom: (true, true)
        case .bottomLeft, .rightTop: (false, true)
        }
    }

    /// The order in which the stored pixels are read for an upright picture.
    func walk(over bitmap: Bitmap, from base: UnsafePointer<UInt8>) -> cphoto_walk {
        let row = bitmap.width * 3
        let across = turn.fromRight ? -3 : 3
        let down = turn.fromBottom ? -row : row
        let startX = turn.fromRight ? bitmap.width - 1 : 0
        let startY = turn.fromBottom ? bitmap.height - 1 : 0
        return cphoto_walk(
            origin: base + startY * row + startX * 3, step_x: isTransposed ? down : across,
            step_y: isTransposed ? across : down,
            width: UInt32(isTransposed ? bitmap.height : bitmap.width),
            height: UInt32(isTransposed ? bitmap.width : bitmap.height))
    }
}
