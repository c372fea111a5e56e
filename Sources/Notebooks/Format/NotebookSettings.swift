import Foundation

/// What a notebook asks of its session.
public struct NotebookSettings: Sendable, Hashable {
    /// The system of units results are shown in.
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

    /// The seed of everything random.
    public var seed: UInt64 = 42
    /// What the session's clock shows at the start: 2026-01-01T00:00:00Z unless said.
    public var clock = Date(timeIntervalSince1970: 1_767_225_600)
    /// The session's time zone.
    public var timezone = "UTC"
    /// The width of the terminal in columns.
    public var width = 80
    /// The units.
    public var units = Units.metric
    /// The input files.
    public var data: [DataFile] = []
    /// The plugins without which the notebook is skipped.
    public var requires: [String] = []
    /// Plugins of others that are loaded at the start: folders relative to the notebook's, or names of installed ones. Empty
    /// where the notebook makes or loads them itself; `nil` where it has none.
    public var plugins: [String]?
    /// The versions of these plugins when the notebook was saved, for people.
    public var pluginVersions: [String] = []
    /// Whether it uses the network, without which it is skipped.
    public var usesNetwork = false
    /// Its number in a course; `nil` for what is no lesson of one.
    public var lesson: Int?
    /// How long one entry may run.
    public var timeout = NotebookLimits.timeout

    /// What a notebook without front matter gets.
    public init() {}
}
