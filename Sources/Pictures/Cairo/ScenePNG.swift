import CCairo
import Foundation

/// Draws a scene as a PNG.
///
/// The same scene produces the same bytes on a machine; text is drawn with the installed fonts.
public enum ScenePNG {
    /// The file. `scale` is in pixels per point: 2 for sharp pictures on high-resolution screens. With `isForPaper` the file
    /// states how large it is printed, a point as 1/72 inch: without it programs assume 72 or 96 pixels per inch.
    public static func render(
        _ scene: Scene, scale: Double = 1, isForPaper: Bool = false
    ) throws(PictureError) -> Data {
        let width = (scene.size.width * scale).rounded(.up)
        let height = (scene.size.height * scale).rounded(.up)
        try check(width: width, height: height)
        let surface = try CairoSurface(width: Int(width), height: Int(height))
        guard let canvas = cairo_create(surface.pointer) else { throw .drawing("no canvas") }
        defer { cairo_destroy(canvas) }
        cairo_scale(canvas, scale, scale)
        CairoPainter(canvas: canvas).draw(scene)
        let status = cairo_status(canvas)
        guard status == CAIRO_STATUS_SUCCESS else { throw .drawing(CairoSurface.words(status)) }
        cairo_surface_flush(surface.pointer)
        let file = try surface.png()
        return isForPaper ? PNGResolution.stated(in: file, pixelsPerPoint: scale) : file
    }

    private static func check(width: Double, height: Double) throws(PictureError) {
        let side = Double(PictureSettings.maximumCanvasSide)
        let isSane = width >= 1 && height >= 1 && width <= side && height <= side
        guard isSane, width * height <= Double(PictureSettings.maximumCanvasPixels) else {
            throw .badSize(width: width, height: height)
        }
    }
}
