import CMarkdown
import Core
import Foundation

extension NativeLibrary {
    /// cmark-gfm.
    public static let markdown = NativeLibrary(
        "rendering notebooks as pages", packages: "libcmark-gfm-extensions0.29.0.gfm.6",
        isThere: cmarkdown_is_there)
}

/// Markdown as HTML, by cmark-gfm: CommonMark with tables and strikethrough. HTML in the Markdown is omitted,
/// so that an untrusted notebook cannot inject markup into the page.
enum MarkdownHTML {
    /// Invalid UTF-8 is replaced (`CMARK_OPT_VALIDATE_UTF8`).
    private static let options: Int32 = 1 << 9

    /// The HTML. Throws `E-LIBRARY-MISSING` if the library is not installed.
    static func html(_ markdown: String) throws(RutterError) -> String {
        try NativeLibrary.markdown.require()
        cmark_gfm_core_extensions_ensure_registered()
        guard let parser = cmark_parser_new(options) else { return "" }
        defer { cmark_parser_free(parser) }
        for name in ["table", "strikethrough"] {
            if let found = cmark_find_syntax_extension(name) {
                _ = cmark_parser_attach_syntax_extension(parser, found)
            }
        }
        var text = markdown
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { cmark_parser_feed(parser, $0.baseAddress, $0.count) }
        }
        guard let root = cmark_parser_finish(parser) else { return "" }
        defer { cmark_node_free(root) }
        guard let html = cmark_render_html(root, options, cmark_parser_get_syntax_extensions(parser)) else {
            return ""
        }
        defer { free(html) }
        return String(cString: html)
    }
}
