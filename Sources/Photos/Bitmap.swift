/// A decoded picture: red, green, blue, three bytes a pixel, rows from the top without gaps.
public struct Bitmap: Sendable, Hashable {
    /// Pixels across.
    public let width: Int
    /// Pixels down.
    public let height: Int
    /// `width * height * 3` bytes.
    public let pixels: [UInt8]

    /// Makes a picture; `nil` when the number of bytes does not fit the size or a side is not positive.
    public init?(width: Int, height: Int, pixels: [UInt8]) {
        let (area, overflow) = width.multipliedReportingOverflow(by: height)
        guard width > 0, height > 0, !overflow, area <= PhotoSettings.maximumPixels else { return nil }
        guard pixels.count == area * 3 else { return nil }
        self.width = width
        self.height = height
        self.pixels = pixels
    }
}
