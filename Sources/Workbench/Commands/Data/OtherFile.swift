import Core
import Formats
import PluginKit

/// A file that begins as one of another kind than a table or text, whatever its name says: a workbook that is called `.csv`, the page
/// of a server that asks for a password.
struct OtherFile {
    /// A phrase with its article.
    let name: String
    let fix: String

    /// The kind of a file by its first bytes; `nil` for text. `typed` is what to type for it.
    init?(head: [UInt8], typed: String, isTable: Bool) {
        let file = Literal.text(typed)
        let asCSV = "save its sheet as CSV in the program that wrote it, and open that"
        func begins(_ bytes: [UInt8]) -> Bool { head.starts(with: bytes) }
        func begins(_ text: String) -> Bool { head.starts(with: Array(text.utf8)) }
        if begins([0x50, 0x4B, 3, 4]) {
            // Names of entries stand in the file as they are (APPNOTE 4.3.7).
            let start = String(decoding: head.prefix(Self.searched), as: UTF8.self)
            if start.contains("xl/") || typed.lowercased().hasSuffix(".xlsx") {
                (name, fix) = ("a workbook of Excel", asCSV)
            } else if start.contains("opendocument.spreadsheet") {
                (name, fix) = ("a spreadsheet", asCSV)
            } else {
                (name, fix) = (
                    "a ZIP archive",
                    "unpack it and open its files; `import \(file)` reads recordings, maps and timetables in it"
                )
            }
        } else if begins([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]) {
            (name, fix) = ("a document of Office, such as .xls", asCSV)
        } else if head.contains(0), ["PAR1", "ARROW1", "Obj\u{1}", "ORC"].contains(where: begins) {
            (name, fix) = (
                "a file of columns (Parquet, Arrow, Avro or ORC)",
                "convert it to CSV with the program that wrote it, or with DuckDB"
            )
        } else if begins("SQLite format 3\u{0}") {
            (name, fix) = ("a SQLite database", "store open \(file)")
        } else if head.dropFirst(8).starts(with: Array(".FIT".utf8)) {
            (name, fix) = ("a FIT file", "import \(file)")
        } else if head.contains(0), head.prefix(Self.searched).contains(Array("OSMHeader".utf8)) {
            (name, fix) = ("an extract of OpenStreetMap", "region import \(file)")
        } else if begins([0xFF, 0xD8, 0xFF]) || begins([0x89, 0x50, 0x4E, 0x47]) {
            (name, fix) = ("a picture", "`photo match` and `photo geotag` work on folders of photos")
        } else if begins("%PDF-") {
            (name, fix) = ("a PDF document", "copy its table into a text, or ask for the data as CSV")
        } else if isTable, HeadText(head).isWebPage {
            (name, fix) = (
                "a web page",
                "download the data again: the server may have asked for a login or reported an error"
            )
        } else {
            return nil
        }
    }

    /// Bytes at the beginning in which names of a ZIP archive are looked for.
    private static let searched = 4096
}
