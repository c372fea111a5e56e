import Archives
import Foundation

/// Hands files of some kinds over to a command with options of its own, such as `region import`.
public struct CommandImporter: FileImporting {
    /// Its name.
    public let name: String
    /// The command that imports a file of its kinds, with default options.
    public let command: String
    private let recognise: @Sendable (SourceBytes) throws -> String?
    /// Whether the command has `--strict`.
    private let takesStrict: Bool

    /// An importer that runs a command with the path of each file; `recognise` returns the kind of a source, or `nil`.
    public init(
        _ name: String, command: String, takesStrict: Bool = false,
        recognise: @escaping @Sendable (SourceBytes) throws -> String?
    ) {
        (self.name, self.command, self.recognise, self.takesStrict) = (name, command, recognise, takesStrict)
    }

    /// None: such files are large, and imported one by one.
    public var extensions: Set<String> { [] }
    /// What the command makes of them.
    public func targets(_ context: Context) -> [(word: String, meaning: String)] {
        [(name, "as `\(command)`")]
    }
    /// The kind of a source.
    public func kind(of source: SourceBytes, _ context: Context) throws -> String? { try recognise(source) }
    /// Every archive of its kinds.
    public func isWhole(_ source: SourceBytes) -> Bool { ((try? recognise(source)) ?? nil) != nil }

    /// An import that runs the command.
    public func begin(_ options: ImportOptions, _ context: Context) throws -> any FileImport {
        guard !options.isStrict || takesStrict else {
            throw CommonErrors.inputKind(
                "`\(command)` cannot refuse what it does not understand", at: .parameter("strict"),
                fix: "omit --strict: the import says what was left out")
        }
        return CommandImport(
            command: command, name: options.name, isStrict: options.isStrict, context: context)
    }
}

private final class CommandImport: FileImport {
    private let command: String
    private let name: String?
    private let isStrict: Bool
    private let context: Context

    init(command: String, name: String?, isStrict: Bool, context: Context) {
        (self.command, self.name, self.isStrict, self.context) = (command, name, isStrict, context)
    }

    func add(_ file: SourceFile, _ source: SourceBytes, kind: String) async throws -> SourceReport {
        guard let url = file.url, let pipelines = context.pipelines else {
            throw CommonErrors.fileAccess(
                "\(file.path) is in an archive", fix: "unpack it, then: \(command) \(source.name)")
        }
        var line = "\(command) \(Literal.text(url.path))"
        if let name { line += " --name \(Literal.text(name))" }
        if isStrict { line += " --strict" }
        let value = try await pipelines.run(line, input: .nothing, allowing: .changes)
        var report = SourceReport(file: file.path, result: .imported)
        report.format = kind
        report.kept = command.split(separator: " ").first.map { "1 \($0)" } ?? ""
        if let name = value.named { report.names = [name] }
        if case .record(let record) = value.onlyItem {
            report.account = record["account"]?.object(as: AccountObject.self)?.account
        }
        return report
    }

    func view(_ file: SourceFile, _ source: SourceBytes, kind: String) async throws -> Value {
        throw CommonErrors.inputKind(
            "\(file.path) is of kind \(kind), which cannot be shown without `\(command)`")
    }

    /// The command recorded its own undo.
    func finish() {}

    func revert() async throws {
        // What a command has finished stays, with its own undo.
    }
}

extension Value {
    /// The field `name` of a record or object.
    fileprivate var named: String? {
        let name: Value? =
            switch onlyItem {
            case .record(let record): record["name"]
            case .object(let object): object.field("name")
            default: nil
            }
        guard case .text(let text)? = name else { return nil }
        return text
    }
}
