import CivilTime
import Foundation
import PluginKit
import TrailStores

/// A file or folder of an app's container, and what it is by its content.
struct ContainerItem: Sendable {
    /// What it is.
    enum Role: Sendable, Equatable {
        /// A store of a kind.
        case store(StoreKind)
        /// A log, index or journal beside a store.
        case companion
        /// What the app knows of its regions.
        case regions
        /// Preferences.
        case preferences
        /// A picture.
        case picture
        /// Something that should be a store, but cannot be read as one.
        case damaged
        /// Anything else.
        case stray
    }

    /// Where it is, below the container.
    let path: String
    /// The file or folder itself.
    let url: URL
    /// What it is.
    let role: Role
    /// Bytes, those of a log beside it included.
    let bytes: Int
    /// When it was last written, or its log.
    let written: Timestamp?
    /// The version of its schema, where it has one.
    var version: String?
    /// Rows of its main table; `nil` where they cannot be counted.
    var rows: Int?
    /// What else is known of it.
    var note = ""

    /// The word for its role.
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

    /// The file's name without its endings.
    var stem: String { String(url.lastPathComponent.prefix { $0 != "." }) }
}

/// Limits of reading a container.
enum ContainerSettings {
    /// Files and folders that are looked at; the rest is counted.
    static let mostItems = 20_000
    /// Folders within folders.
    static let deepest = 24
    /// Bytes that an archive may unpack to.
    static let largestUnpacked = 4 << 30
    /// Bytes of a JSON file that may be region metadata.
    static let largestMetadata = 4 << 20
}
