import Foundation

/// The printed size of a PNG: the chunk `pHYs` (PNG, Third Edition, 11.3.4.3), in pixels per metre.
enum PNGResolution {
    /// Points of a metre: 72 are an inch of 0.0254 m.
    private static let pointsPerMetre = 72 / 0.0254
    /// The bytes of the signature and of the first chunk, `IHDR`.
    private static let head = 8 + 12 + 13
    /// The unit of the numbers is the metre.
    private static let metre: UInt8 = 1

    /// A file with its resolution. `pHYs` stands before the pixels.
    static func stated(in file: Data, pixelsPerPoint scale: Double) -> Data {
        let pixels = (scale * pointsPerMetre).rounded()
        guard file.count > head, pixels >= 1, pixels <= Double(Int32.max) else { return file }
        let number = PNGChunks.big(UInt32(pixels))
        var result = file.prefix(head)
        result += PNGChunks.chunk("pHYs", number + number + [metre])
        return result + file.dropFirst(head)
    }
}
