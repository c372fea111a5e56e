import Foundation
import PluginKit

/// `export [PATH] [WHAT] [--as FORMAT]`
struct ExportCommand: CommandProvider {
    let session: SessionHandle

    var name: String { "export" }

    var command: Command {
        let formats = formats
        return Command(definition: Self.spec(name, formats)) { arguments, input, context in
            try await ExportCall(formats: formats, values: arguments).value(input, context)
        }
    }

    /// The formats of the host and of the plugins, in order.
    private var formats: [ExportFormat] {
        let plugins = (try? session.get().capabilities) ?? []
        return [PlayerFormat.format, GeoPackageFormat.format]
            + plugins.compactMap { $0 as? any ExportFormatSource }.flatMap(\.exportFormats)
    }

    /// The declaration: the options of all formats, each with the formats that take it.
    static func spec(_ name: String, _ formats: [ExportFormat]) -> CommandSpec {
        var parameters = [
            Self.parameter(
                "path", .positional, .outputFile,
                "file to write, or the folder for --each; - or none returns the text")
        ]
        var subjects: [String] = []
        for kind in formats.flatMap(\.subjects) where !subjects.contains(kind) { subjects.append(kind) }
        if !subjects.isEmpty {
            parameters.append(
                Self.parameter(
                    "what", .positional, .reference(subjects.joined(separator: "|")),
                    "what to export, by name or id; default: the piped value"))
        }
        parameters.append(
            Self.parameter(
                "as", .option, .choice(formats.map { .init($0.name, $0.summary) }),
                "format; default: that of the path's ending"))
        parameters.append(
            Self.parameter("each", .flag, .boolean, "write a file for each item into the folder PATH"))
        parameters.append(
            Self.parameter(
                "share", .flag, .boolean, "write a message with the file attached: PATH with the ending .eml")
        )
        parameters += Self.ownOptions(formats)
        parameters.append(Self.parameter("force", .flag, .boolean, "overwrite existing files"))
        return CommandSpec(
            name, "write a value to a file in a format of its own", details: details(formats),
            parameters: parameters, input: .optional(.any), output: .any, effect: .reads,
            examples: formats.flatMap(\.examples) + [
                .init(
                    "an unknown ending", "expect-error E-EXPORT-FORMAT [1 2] | export x.doc",
                    gives: "`.doc` is not the ending of a format")
            ],
            searchTerms: formats.flatMap { [$0.name] + $0.endings }
                + [
                    "write", "save", "report", "track", "animation", "slides", "write a file", "gpx file",
                    "pdf", "print a pdf", "email", "send to a phone", "send to a watch", "garmin",
                    "google earth", "share a route", "kml", "fit", "download", "printout", "attachment",
                    "into another app",
                ])
    }

    private static func parameter(
        _ name: String, _ style: ParameterSpec.Style, _ kind: ParameterKind, _ help: String
    ) -> ParameterSpec {
        ParameterSpec(name: name, style: style, kind: kind, help: help)
    }

    /// The options of the formats, each once.
    private static func ownOptions(_ formats: [ExportFormat]) -> [ParameterSpec] {
        var options: [ParameterSpec] = []
        for option in formats.flatMap(\.options) where !options.contains(where: { $0.name == option.name }) {
            let owners = formats.filter { $0.options.contains { $0.name == option.name } }.map(\.name)
            var option = option
            option.help = owners.joined(separator: ", ") + ": " + option.help
            options.append(option)
        }
        return options
    }

    private static func details(_ formats: [ExportFormat]) -> String {
        let each = formats.filter(\.writesEach).map(\.name)
        let folder =
            each.isEmpty
            ? ""
            : """
             With --each the items are written to a file each in the folder PATH, named by day and name, and a row is returned for \
            each (\(each.joined(separator: ", "))); an interrupted export leaves no files.
            """
        let lines = formats.map { format in
            let endings = format.endings.map { "." + $0 }.joined(separator: " ")
            let details = format.details.isEmpty ? "" : ". " + format.details
            return "\(format.name) (\(endings)): \(format.summary)\(details)"
        }
        return """
            The format is that of the file's ending, or --as. Without a path, formats that are text are returned as text: \
            `… | export --as FORMAT`, or `export - WHAT --as FORMAT`. The same value always gives the same bytes.\(folder) With --share \
            the file is attached to a message (.eml), which mail programs open for sending.
            """ + "\n\n" + lines.joined(separator: "\n\n")
    }
}

/// A call of `export`.
private struct ExportCall {
    let formats: [ExportFormat]
    let values: [String: Value]

    func value(_ input: Value, _ context: Context) async throws -> Value {
        let target = text("path").map { URL(fileURLWithPath: $0) }.flatMap {
            $0.lastPathComponent == "-" ? nil : $0
        }
        let format = try format(for: target, input, context)
        try checkOptions(of: format)
        if isSet("share") { return try await share(target, format, input, context) }
        if isSet("each") {
            guard format.writesEach else {
                throw ExportCommandErrors.option(
                    "\(format.name) cannot be written with --each", at: .parameter("each"),
                    fix: "formats with --each: "
                        + formats.filter(\.writesEach).map(\.name).joined(separator: ", "))
            }
        } else if let target {
            // Checked before any work, so that none is lost.
            try StagedFile.checkFree(target, force: isSet("force"), parameter: "path")
        }
        if target == nil, isSet("each") || !format.isText {
            throw ExportCommandErrors.target(
                isSet("each") ? "--each requires a folder" : "\(format.name) requires a file",
                fix: isSet("each")
                    ? "export FOLDER --each --as \(format.name)" : "export FILE.\(format.endings[0])")
        }
        let request = ExportRequest(
            subject: subject, input: input, target: target, each: isSet("each"), force: isSet("force"))
        return try await format.write(request, Arguments(values), context: context)
    }

    private var subject: (any DomainObject)? {
        if case .object(let object)? = values["what"] { return object }
        return nil
    }

    /// Writes the file into a message, as a phone's share sheet hands it to a mail program.
    private func share(
        _ target: URL?, _ format: ExportFormat, _ input: Value, _ context: Context
    ) async throws -> Value {
        guard let target, !isSet("each") else {
            throw ExportCommandErrors.target(
                "--share attaches one file", at: .parameter("share"),
                fix: "export walk.\(format.endings[0]) --share, without --each")
        }
        let message = target.deletingPathExtension().appendingPathExtension(MailFile.ending)
        try StagedFile.checkFree(message, force: isSet("force"), parameter: "path")
        let folder = try FileManager.default.scratchFolder("share")
        defer { FileManager.default.discard(folder) }
        let file = folder.appendingPathComponent(target.lastPathComponent)
        let request = ExportRequest(subject: subject, input: input, target: file, each: false, force: false)
        _ = try await format.write(request, Arguments(values), context: context)
        let content = try Data(contentsOf: file)
        try OutputFile.write(
            MailFile.data(attaching: content, named: target.lastPathComponent), to: message,
            force: isSet("force"))
        return .text("\(target.lastPathComponent) attached to \(message.lastPathComponent)")
    }

    private func text(_ name: String) -> String? {
        if case .text(let text)? = values[name] { return text }
        return nil
    }

    private func isSet(_ flag: String) -> Bool {
        if case .boolean(true)? = values[flag] { return true }
        return false
    }

    /// The format that is named, or else that of the ending.
    private func format(for target: URL?, _ input: Value, _ context: Context) throws -> ExportFormat {
        if let word = text("as"), let format = formats.first(where: { $0.name == word }) { return format }
        guard let target, !isSet("each") else {
            throw LanguageErrors.missingArgument(
                "`export` needs " + (target == nil ? "a file, or --as FORMAT" : "--as FORMAT with --each"),
                fix: target == nil
                    ? "export walk.gpx, or … | export --as gpx" : "add --as gpx, or another format")
        }
        let ending = target.pathExtension.lowercased()
        let fitting = formats.filter { $0.endings.contains(ending) }
        if let format = fitting.first(where: { $0.recognizes(input, context: context) }) ?? fitting.last {
            return format
        }
        let known = formats.flatMap(\.endings)
        // `export gpx`: a format where the file belongs.
        let named = known.contains(target.lastPathComponent.lowercased()) ? target.lastPathComponent : nil
        throw ExportCommandErrors.format(
            ending.isEmpty
                ? "`\(target.lastPathComponent)` has no ending"
                : "`.\(ending)` is not the ending of a format",
            at: .parameter("path"),
            fix: named.map { "name the file: export NAME.\($0.lowercased())" }
                ?? "endings are \(Array(Set(known)).sorted().joined(separator: ", ")); or choose one with --as",
            suggestion: Suggestion.nearest(to: ending, in: known).map {
                target.deletingPathExtension().lastPathComponent + "." + $0
            })
    }

    /// Throws `E-EXPORT-OPTION` for an option of another format.
    private func checkOptions(of format: ExportFormat) throws(RutterError) {
        let own = Set(format.options.map(\.name))
        for option in formats.flatMap(\.options)
        where values[option.name] != nil && !own.contains(option.name) {
            let owners = formats.filter { $0.options.contains { $0.name == option.name } }.map(\.name)
            throw ExportCommandErrors.option(
                "--\(option.name) is an option of \(owners.joined(separator: ", ")), not of \(format.name)",
                at: .parameter(option.name), fix: "omit it, or add --as \(owners[0])")
        }
    }
}

/// Kinds of error of `export` itself; the formats have their own.
enum ExportCommandErrors {
    static let format = ErrorKind(
        "E-EXPORT-FORMAT", "unknown export format",
        explanation: """
            The format is that of the file's ending, or is chosen with --as. `help export` lists the formats and their endings; \
            plugins add formats.
            """)
    static let option = ErrorKind(
        "E-EXPORT-OPTION", "the option is of another format",
        explanation:
            "Some options belong to some formats only; `help export` names the formats of each option.")
    static let target = ErrorKind(
        "E-EXPORT-OUT", "missing output file",
        explanation: """
            FIT files, PDF and HTML reports and players of traces cannot be shown as text: name a file, as in `export walk.pdf`. \
            With --each a folder is required.
            """)

    static let all = [format, option, target]
}
