import CCairo
import Photos

/// The placeholder for an image that cannot be decoded.
enum ImagePlaceholder {
    static let color = Color(0xD5D9DF)
}

/// Draws JPEG and PNG bytes.
enum CairoImage {
    static func draw(_ bytes: [UInt8], in rect: SceneRect, painter: CairoPainter) {
        guard rect.width > 0, rect.height > 0 else { return }
        guard let surface = surface(of: bytes) else {
            return painter.draw(.polygon([rect.corners], fill: Fill(ImagePlaceholder.color), stroke: nil))
        }
        draw(surface, in: rect, painter: painter)
    }

    static func draw(_ raster: SceneRaster, in rect: SceneRect, painter: CairoPainter) {
        // A raster that cannot be created is not drawn.
        guard rect.width > 0, rect.height > 0, let surface = try? raster.surface() else { return }
        draw(surface, in: rect, painter: painter)
    }

    private static func draw(_ surface: CairoSurface, in rect: SceneRect, painter: CairoPainter) {
        let canvas = painter.canvas
        cairo_save(canvas)
        cairo_translate(canvas, rect.x, rect.y)
        cairo_scale(canvas, rect.width / Double(surface.width), rect.height / Double(surface.height))
        cairo_set_source_surface(canvas, surface.pointer, 0, 0)
        // Tiles must meet without a seam: the edge pixels are stretched outwards instead of fading. In a PDF,
        // this would prevent embedding a JPEG unchanged.
        let isImage = cairo_surface_get_type(cairo_get_target(canvas)) == CAIRO_SURFACE_TYPE_IMAGE
        if isImage, let pattern = cairo_get_source(canvas) {
            cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
        }
        cairo_rectangle(canvas, 0, 0, Double(surface.width), Double(surface.height))
        cairo_fill(canvas)
        cairo_restore(canvas)
    }

    /// `nil` if the photo cannot be decoded; its frame stays empty.
    private static func surface(of bytes: [UInt8]) -> CairoSurface? {
        switch PhotoKind(sniffing: bytes) {
        case .png:
            return try? CairoSurface(owning: PNGFile.surface(bytes))
        case .jpeg:
            guard let bitmap = try? JPEGFile.decode(bytes, shrink: 1) else { return nil }
            let surface = try? bitmap.surface()
            if let surface { attach(bytes, to: surface) }
            return surface
        case .heic: return try? HEIFFile.decode(bytes).surface()
        case nil: return nil
        }
    }

    /// Embeds the JPEG unchanged in a PDF instead of storing its pixels.
    private static func attach(_ bytes: [UInt8], to surface: CairoSurface) {
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
        copy.initialize(from: bytes, count: bytes.count)
        let release: cairo_destroy_func_t = { $0?.deallocate() }
        let status = cairo_surface_set_mime_data(
            surface.pointer, CAIRO_MIME_TYPE_JPEG, copy, UInt(bytes.count), release, copy)
        if status != CAIRO_STATUS_SUCCESS { copy.deallocate() }
    }
}
