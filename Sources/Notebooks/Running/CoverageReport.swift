/// The commands, flags and error codes used, of all that exist.
public struct CoverageReport: Sendable, Hashable, Codable {
    /// Used and known names.
    public struct Part: Sendable, Hashable, Codable {
        /// The names used.
        public var used: Set<String>
        /// The names that exist.
        public var known: Set<String>

        /// Creates a part.
        public init(used: Set<String> = [], known: Set<String> = []) {
            self.used = used
            self.known = known
        }

        /// The unused names, sorted.
        public var unused: [String] { known.subtracting(used).sorted() }

        mutating func merge(_ other: Part) {
            used.formUnion(other.used)
            known.formUnion(other.known)
        }
    }

    /// Commands, such as `waypoint near`.
    public var commands = Part()
    /// Flags with their command, such as `waypoint near --radius`.
    public var flags = Part()
    /// Error codes, such as `E-ROUTE-NOPATH`.
    public var errorCodes = Part()

    /// An empty report.
    public init() {}

    /// Adds the coverage of another session.
    public mutating func merge(_ other: CoverageReport) {
        commands.merge(other.commands)
        flags.merge(other.flags)
        errorCodes.merge(other.errorCodes)
    }

    /// The lists of unused names, as `rutter test --coverage` prints them.
    public var text: String {
        [("commands", commands), ("flags", flags), ("error codes", errorCodes)]
            .flatMap { title, part -> [String] in
                let used = part.used.intersection(part.known).count
                let head = "\(title): \(used) of \(part.known.count) used"
                return [part.unused.isEmpty ? head : head + "; unused:"]
                    + part.unused.map { "  \($0)" }
            }
            .joined(separator: "\n")
    }
}
