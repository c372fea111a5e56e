import Archives
import CivilTime
import Foundation
import PluginKit
import TrailStores

/// A file or folder of an app's container, and its role by content.
struct ContainerItem: Sendable {
    /// The role of an item.
    enum Role: Sendable, Equatable {
        /// A store of a kind.
        case store(StoreKind)
        /// A log, index or journal beside a store.
        case companion
        /// Metadata of the app's regions.
        case regions
        /// Preferences.
        case preferences
        /// A picture.
        case picture
        /// A file that should be a store, but cannot be read as one.
        case damaged
        /// Anything else.
        case stray
    }

    /// Its path in the container; in a phone's backup, its path in its app.
    var path: String
    /// The file or folder itself.
    let url: URL
    /// Its role.
    var role: Role
    /// Size in bytes, including a log beside it.
    let bytes: Int
    /// Time of the last write to it or its log.
    let written: Timestamp?
    /// The version of its schema, if it has one.
    var version: String?
    /// Number of rows in its main table; `nil` if unknown.
    var rows: Int?
    /// Whether it is a second version of another store, from a conflict of two devices.
    var isConflictCopy = false
    /// Whether it is a log, index or journal whose store is not in the container.
    var isOrphan = false
    /// Further remarks.
    var note = ""

    /// The name of its role.
    var kind: String {
        switch role {
        case .store(let kind): kind.name
        case .companion: "log"
        case .regions: "region metadata"
        case .preferences: "preferences"
        case .picture: "picture"
        case .damaged: "damaged"
        case .stray: "other"
        }
    }

    /// The kind of store, if it is one.
    var storeKind: StoreKind? {
        if case .store(let kind) = role { return kind }
        return nil
    }

    /// The file's name without extensions.
    var stem: String { String((path.split(separator: "/").last ?? "").prefix { $0 != "." }) }
}

/// Limits of reading a container.
enum ContainerSettings {
    /// Maximum number of files and folders read; the rest is counted.
    static let mostItems = 20_000
    /// Maximum depth of nested folders.
    static let deepest = 24
    /// Maximum files and bytes of an archive that is unpacked.
    static let unpacking = ArchiveLimits(entries: mostItems, entryBytes: 4 << 30)
    /// Maximum bytes of a JSON file that may be region metadata.
    static let largestMetadata = 4 << 20
}
