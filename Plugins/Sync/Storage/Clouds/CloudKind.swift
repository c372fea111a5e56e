import Foundation
import PluginKit

/// A kind of cloud. Each has its own folder beside this one, and a line in the list below; nothing else
/// refers to it.
protocol CloudKind: Sendable {
    /// The schemes of its addresses; the empty scheme for addresses without one.
    static var schemes: [String] { get }
    /// The pattern of its addresses, for messages.
    static var pattern: String { get }
    /// Whether it is reached over the network, which a session may forbid.
    static var usesNetwork: Bool { get }
    /// Libraries loaded on first use.
    static var libraries: [NativeLibrary] { get }
    /// Opens a cloud, or creates it if allowed.
    static func open(_ address: CloudAddress) throws -> any CloudBackend
}

/// The address of a cloud, and what is needed to open it.
struct CloudAddress {
    /// The address as entered; `nil` for the workspace's own cloud.
    let text: String?
    /// The first epoch of a zone that is created.
    let epoch: UInt64
    /// Resolves an address without a scheme to a file.
    let file: (String?) throws -> URL
}

/// All kinds of clouds.
enum CloudKinds {
    private static let all: [any CloudKind.Type] = [
        EmbeddedKind.self,
        PostgresKind.self,
        S3Kind.self,
    ]

    /// The kind of cloud for the scheme of an address. Throws `E-SYNC-CLOUD` for an unknown scheme, which is
    /// not a file name either. An address that is only a scheme, such as `s3://`, stands for the address in
    /// an environment variable, so that notebooks name no server.
    static func kind(of address: String?) throws -> (kind: any CloudKind.Type, address: String?) {
        let end = address?.range(of: "://")?.lowerBound
        let scheme = end.flatMap { address?[..<$0].lowercased() } ?? ""
        if end == nil || !scheme.isEmpty, let kind = all.first(where: { $0.schemes.contains(scheme) }) {
            guard kind.usesNetwork, address?.hasSuffix("://") == true else { return (kind, address) }
            guard let own = kind.own else {
                throw SyncErrors.cloud(
                    "\(kind.variable) is not set", at: .parameter("cloud"),
                    fix: "export \(kind.variable)=\(kind.pattern)")
            }
            return (kind, own)
        }
        throw SyncErrors.cloud(
            "unknown kind of cloud: \(scheme)", at: .parameter("cloud"), fix: "--cloud \(list)")
    }

    /// The address patterns: `a, b or c`.
    static var list: String { joined(all.map { $0.pattern }) }
    /// The address patterns of servers only.
    static var servers: String { joined(all.filter { $0.usesNetwork }.map { $0.pattern }) }

    private static func joined(_ words: [String]) -> String {
        words.dropLast().joined(separator: ", ") + (words.count > 1 ? " or " : "") + (words.last ?? "")
    }

    /// Libraries loaded on first use.
    static var libraries: [NativeLibrary] { all.flatMap { $0.libraries } }

    /// Requirements for notebooks.
    static var notebookServers: [NotebookServer] {
        all.filter { $0.usesNetwork }.map {
            NotebookServer($0.schemes[0], isAvailable: $0.own != nil, hint: "\($0.variable) is not set")
        }
    }
}

extension CloudKind {
    /// The environment variable with the address of a cloud of this kind.
    fileprivate static var variable: String { "RUTTER_CLOUD_\(schemes[0].uppercased())" }

    /// The address in that variable.
    fileprivate static var own: String? {
        ProcessInfo.processInfo.environment[variable].flatMap { $0.isEmpty || $0.hasSuffix("://") ? nil : $0 }
    }
}
