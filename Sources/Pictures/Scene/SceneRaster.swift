import CCairo

/// Pixels that are drawn over a rectangle, such as light and shadow; colours are premultiplied by alpha.
public struct SceneRaster: Sendable, Hashable {
    /// Pixels across.
    public let width: Int
    /// Pixels down.
    public let height: Int
    /// Row by row from the top: alpha, red, green, blue from the highest byte.
    public let pixels: [UInt32]

    /// Makes a raster of `width` times `height` pixels.
    public init(width: Int, height: Int, pixels: [UInt32]) {
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    /// The raster as a cairo surface.
    func surface() throws(PictureError) -> CairoSurface {
        guard width > 0, height > 0, pixels.count == width * height else {
            throw .badSize(width: Double(width), height: Double(height))
        }
        let surface = try CairoSurface(width: width, height: height)
        guard let target = cairo_image_surface_get_data(surface.pointer) else { throw .drawing("no pixels") }
        let stride = surface.stride
        pixels.withUnsafeBytes { source in
            guard let base = source.baseAddress else { return }
            for row in 0..<height {
                UnsafeMutableRawPointer(target + row * stride).copyMemory(
                    from: base + row * width * 4, byteCount: width * 4)
            }
        }
        cairo_surface_mark_dirty(surface.pointer)
        return surface
    }
}
