import Archives
import Foundation

/// Takes in files of the kinds that a plugin knows, for the command `import`. A plugin that is missing leaves its kinds
/// unknown.
public protocol FileImporting: Capability {
    /// Its name; of several importers of one name the first is used.
    var name: String { get }
    /// Extensions, in lower case, of the files that are read from folders and archives.
    var extensions: Set<String> { get }
    /// The words of `--as` that it understands, each with its meaning.
    func targets(_ context: Context) -> [(word: String, meaning: String)]
    /// What a source is, by its content, such as `gpx`; `nil` if it is none of its kinds.
    func kind(of source: SourceBytes, _ context: Context) throws -> String?
    /// Whether an archive is one source as a whole.
    func isWhole(_ source: SourceBytes) -> Bool
    /// Begins an import. Throws what makes it impossible from the start, such as a store that is read-only.
    func begin(_ options: ImportOptions, _ context: Context) throws -> any FileImport
}

extension FileImporting {
    /// No archive.
    public func isWhole(_ source: SourceBytes) -> Bool { false }
}

/// An import of several files by one importer.
public protocol FileImport: AnyObject {
    /// Imports a file of a kind that its importer recognised. Throws what is wrong with the file.
    func add(_ file: SourceFile, _ source: SourceBytes, kind: String) async throws -> SourceReport
    /// The content of a file as a value; nothing is stored.
    func view(_ file: SourceFile, _ source: SourceBytes, kind: String) async throws -> Value
    /// What is known to be missing once all files are in, by the file that says so; `files` are the paths of all that were found.
    func missing(among files: Set<String>) -> [(file: String, words: String)]
    /// Records the undo of the whole import.
    func finish() throws
    /// Removes what was imported.
    func revert() async throws
}

extension FileImport {
    /// Nothing.
    public func missing(among files: Set<String>) -> [(file: String, words: String)] { [] }
}

/// What the user said about an import.
public struct ImportOptions: Sendable {
    /// The word of `--as`; `nil` if the content decides.
    public var target: String?
    /// The name of what is imported.
    public var name: String?
    /// Only the line with this number, counted from 1, tracks before routes.
    public var number: Int?
    /// Whether what is in the store already is added again.
    public var isRepeating = false
    /// Whether waypoints of files with lines are skipped.
    public var skipsWaypoints = false
    /// The mode of travel of planned routes.
    public var mode: TravelMode?
    /// Whether a file is refused of which anything would be left out, repaired or doubted.
    public var isStrict = false
    /// The folder with the photos that files name.
    public var photos: URL?

    /// Nothing is said.
    public init() {}
}
