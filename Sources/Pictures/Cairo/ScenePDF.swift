import CCairo
import Foundation

/// The metadata of a PDF.
public struct PDFMetadata: Sendable, Hashable {
    /// The document's title.
    public var title: String
    /// The subject; may be empty.
    public var subject: String
    /// The creating program; may be empty.
    public var creator: String
    /// The creation date, ISO 8601 (`2026-02-06T08:15:30Z`), also used as modification date; without it the
    /// document has no dates. In either case the same scenes produce the same bytes.
    public var created: String?

    /// Makes the metadata.
    public init(title: String, subject: String = "", creator: String = "", created: String? = nil) {
        self.title = title
        self.subject = subject
        self.creator = creator
        self.created = created
    }
}

/// Draws scenes as a PDF, one page each. The document is tagged, and text can be selected; JPEG photos are stored as they are.
public enum ScenePDF {
    /// A document of one page.
    public static func render(_ scene: Scene, metadata: PDFMetadata) throws(PictureError) -> Data {
        try render(pages: [scene], metadata: metadata)
    }

    /// A document with one page per scene, of the scene's size in points.
    public static func render(pages: [Scene], metadata: PDFMetadata) throws(PictureError) -> Data {
        guard let first = pages.first else { throw .drawing("a document needs a page") }
        for page in pages {
            let isSane = page.size.width >= 1 && page.size.height >= 1
            let side = Double(PictureSettings.maximumCanvasSide)
            guard isSane, page.size.width <= side, page.size.height <= side else {
                throw .badSize(width: page.size.width, height: page.size.height)
            }
        }
        let sink = ByteSink()
        let context = Unmanaged.passUnretained(sink).toOpaque()
        let surface = try CairoSurface(
            owning: cairo_pdf_surface_create_for_stream(
                ByteSink.write, context, first.size.width, first.size.height))
        try write(pages, metadata, on: surface)
        return metadata.created == nil ? PDFDate.blanked(sink.bytes) : sink.bytes
    }

    private static func write(
        _ pages: [Scene], _ metadata: PDFMetadata, on surface: CairoSurface
    ) throws(PictureError) {
        let words = [
            (CAIRO_PDF_METADATA_TITLE, metadata.title), (CAIRO_PDF_METADATA_SUBJECT, metadata.subject),
            (CAIRO_PDF_METADATA_CREATOR, metadata.creator),
            (CAIRO_PDF_METADATA_CREATE_DATE, metadata.created ?? ""),
            (CAIRO_PDF_METADATA_MOD_DATE, metadata.created ?? ""),
        ]
        for (key, value) in words where !value.isEmpty {
            cairo_pdf_surface_set_metadata(surface.pointer, key, PictureText.shown(value))
        }
        guard let canvas = cairo_create(surface.pointer) else { throw .drawing("no canvas") }
        defer { cairo_destroy(canvas) }
        let painter = CairoPainter(canvas: canvas, isTagged: true)
        for (number, page) in pages.enumerated() {
            cairo_pdf_surface_set_size(surface.pointer, page.size.width, page.size.height)
            painter.paintBackground(of: page)
            if number == 0 { cairo_tag_begin(canvas, PDFStructure.document, nil) }
            cairo_tag_begin(canvas, PDFStructure.page, nil)
            painter.drawWithin(page)
            cairo_tag_end(canvas, PDFStructure.page)
            cairo_show_page(canvas)
        }
        cairo_tag_end(canvas, PDFStructure.document)
        let status = cairo_status(canvas)
        guard status == CAIRO_STATUS_SUCCESS else { throw .drawing(CairoSurface.words(status)) }
        cairo_surface_finish(surface.pointer)
        let finished = cairo_surface_status(surface.pointer)
        guard finished == CAIRO_STATUS_SUCCESS else { throw .drawing(CairoSurface.words(finished)) }
    }
}

/// The parts of a tagged document (ISO 32000, 14.8.4).
enum PDFStructure {
    static let document = "Document"
    static let page = "Sect"
    static let paragraph = "P"
}

/// Cairo always writes the current time as the creation date. Spaces in its place keep every offset right.
enum PDFDate {
    static func blanked(_ file: Data) -> Data {
        guard let key = file.range(of: Data("/CreationDate (".utf8), options: .backwards) else { return file }
        guard let end = file.range(of: Data(")".utf8), in: key.upperBound..<file.endIndex) else {
            return file
        }
        var result = file
        let range = key.lowerBound..<end.upperBound
        result.replaceSubrange(range, with: Data(repeating: 0x20, count: range.count))
        return result
    }
}
