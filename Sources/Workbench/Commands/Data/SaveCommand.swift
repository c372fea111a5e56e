import Foundation
import PluginKit

/// `save FILE [--force]`
struct SaveCommand: CommandProvider {
    var name: String { "save" }

    var command: Command {
        Command(
            name, "write a value to a file",
            details: """
                Text is written unchanged. Other values are written in the format of the extension: json, csv, tsv, md, \
                geojson, gpx, kml or txt, as `to` does. The file is replaced atomically; if the write fails, no file is \
                left behind.
                """,
            .positional("file", .outputFile, "file to write"),
            .flag("force", "overwrite an existing file"),
            input: .any, output: .value("text"), effect: .pure,
            examples: [
                .init(
                    "rows", "$huts | save huts.csv; open huts.csv | max beds", after: [DataCommands.huts],
                    gives: "72 bytes written to huts.csv\n50"),
                .init(
                    "the file is replaced", "'new' | save note.txt --force", after: ["'old' | save note.txt"],
                    gives: "3 bytes written to note.txt"),
            ],
            searchTerms: [
                "output in a file", "result into a file",
                "write", "file", "export", "store", "write a csv file", "save as json", "excel",
                "write a file", "to disk",
            ]
        ) { input, context, url, force in
            if case .nothing = input {
                let isNotebook = ["md", "markdown"].contains(url.pathExtension.lowercased())
                throw CommonErrors.inputKind(
                    "there is nothing to write: `save` writes what is piped into it",
                    fix: isNotebook
                        ? "notebook save \(Literal.text(url.lastPathComponent))" : "VALUE | save FILE")
            }
            let log = context.log
            let count = try FileText.write(to: url, force: force, parameter: "file") { sink in
                if case .text(let text) = input { return try sink.write(text) }
                let format = try format(of: url)
                try format.writer(context.environment) { log.notice("\($0)") }.write(
                    input.tabulated, to: sink)
                try sink.write(format.lineEnd)
            }
            return .text("\(count, of: "byte") written to \(url.lastPathComponent)")
        }
    }

    /// Formats that `export` writes and `save` does not.
    private static let exported: Set<String> = ["fit", "gpkg", "html", "pdf", "tcx"]

    /// Pictures, which the commands that draw write.
    private static let drawn: Set<String> = ["gif", "jpeg", "jpg", "png", "svg", "tif", "tiff", "webp"]

    private static func fix(for url: URL, _ known: [String]) -> String {
        let ending = url.pathExtension.lowercased()
        if exported.contains(ending) { return "… | export \(Literal.text(url.lastPathComponent))" }
        if drawn.contains(ending) {
            let name = url.deletingPathExtension().lastPathComponent + (ending == "svg" ? ".svg" : ".png")
            return "… | map --out \(Literal.text(name)); `elevation` and `plot` have --out too"
        }
        return "extensions are \(known.joined(separator: ", ")); other text: … | to FORMAT | save FILE"
    }

    private func format(of url: URL) throws(RutterError) -> DataFormat {
        if let format = DataFormat(fileExtension: url.pathExtension) { return format }
        let known = DataFormat.allCases.map(\.fileExtension)
        let nearest = Suggestion.nearest(to: url.pathExtension, in: known)
        throw DataErrors.format(
            url.pathExtension.isEmpty
                ? "`\(url.lastPathComponent)` has no extension"
                : "`.\(url.pathExtension)` is not a writable format", at: .parameter("file"),
            fix: Self.fix(for: url, known),
            suggestion: Self.exported.union(Self.drawn).contains(url.pathExtension.lowercased())
                ? nil : nearest.map { url.deletingPathExtension().lastPathComponent + "." + $0 })
    }
}
