import Foundation

/// The session settings of a notebook.
public struct NotebookSettings: Sendable, Hashable {
    /// The units of lengths in output.
    public enum Units: String, Sendable, Hashable, CaseIterable {
        /// Metres and kilometres.
        case metric
        /// Feet and miles.
        case imperial
    }

    /// An input file.
    public struct DataFile: Sendable, Hashable {
        /// Its name, relative to the notebook or to `--data`.
        public var file: String
        /// The SHA-256 it is pinned to, in lower-case hexadecimal.
        public var sha256: String?
        /// The line of the front matter that names it.
        var line: Int?

        /// An input file, pinned or not.
        public init(file: String, sha256: String? = nil) {
            self.file = file
            self.sha256 = sha256
        }
    }

    /// The seed of random numbers.
    public var seed: UInt64 = 42
    /// The session's start time; 2026-01-01T00:00:00Z by default.
    public var clock = Date(timeIntervalSince1970: 1_767_225_600)
    /// The session's time zone.
    public var timezone = "UTC"
    /// The width of the terminal in columns.
    public var width = 80
    /// The units.
    public var units = Units.metric
    /// The input files.
    public var data: [DataFile] = []
    /// The plugins that the notebook requires; it is skipped without them.
    public var requires: [String] = []
    /// External plugins loaded at the start: folders relative to the notebook's, or names of installed
    /// plugins. Empty if the notebook creates or loads them itself; `nil` if it uses none.
    public var plugins: [String]?
    /// The versions of these plugins when the notebook was saved, for information.
    public var pluginVersions: [String] = []
    /// Whether it requires the network; it is skipped without it.
    public var usesNetwork = false
    /// Its number in a course; `nil` if it is not part of one.
    public var lesson: Int?
    /// The timeout of an entry.
    public var timeout = NotebookLimits.timeout

    /// The settings of a notebook without front matter.
    public init() {}
}
