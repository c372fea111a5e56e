import Foundation
import PluginKit

/// A kind of cloud. Each has a folder of its own beside this one, and a line in the list below; nothing else names it.
protocol CloudKind: Sendable {
    /// The schemes of its addresses; an empty one for addresses without.
    static var schemes: [String] { get }
    /// What an address looks like, for people.
    static var pattern: String { get }
    /// Whether it is reached over the network, which a session may forbid.
    static var usesNetwork: Bool { get }
    /// Libraries loaded on first use.
    static var libraries: [NativeLibrary] { get }
    /// Opens a cloud, or creates it where it may be created.
    static func open(_ address: CloudAddress) throws -> any CloudBackend
}

/// Where a cloud is, and what is needed to open it.
struct CloudAddress {
    /// As it was given; `nil` for the workspace's own cloud.
    let text: String?
    /// The first epoch of a zone that is created.
    let epoch: UInt64
    /// The file that an address without a scheme names.
    let file: (String?) throws -> URL
}

/// All kinds of clouds.
enum CloudKinds {
    private static let all: [any CloudKind.Type] = [
        EmbeddedKind.self,
        PostgresKind.self,
        S3Kind.self,
    ]

    /// The kind that an address names by its scheme. Throws `E-SYNC-CLOUD` for one that none has: it is no file's name either.
    static func kind(of address: String?) throws -> any CloudKind.Type {
        let end = address?.range(of: "://")?.lowerBound
        let scheme = end.flatMap { address?[..<$0].lowercased() } ?? ""
        if let kind = all.first(where: { $0.schemes.contains(scheme) }) { return kind }
        throw SyncErrors.cloud(
            "unknown kind of cloud: \(scheme)", at: .parameter("cloud"), fix: "--cloud \(list)")
    }

    /// What addresses look like: `a, b or c`.
    static var list: String { joined(all.map { $0.pattern }) }
    /// The same of servers alone.
    static var servers: String { joined(all.filter { $0.usesNetwork }.map { $0.pattern }) }

    private static func joined(_ words: [String]) -> String {
        words.dropLast().joined(separator: ", ") + (words.count > 1 ? " or " : "") + (words.last ?? "")
    }

    /// Libraries loaded on first use.
    static var libraries: [NativeLibrary] { all.flatMap { $0.libraries } }
}
