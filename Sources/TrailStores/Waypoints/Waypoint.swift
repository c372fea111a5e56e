import CivilTime
import Foundation
import Geodesy

/// A marked place, without its photo.
public struct Waypoint: Sendable, Hashable {
    /// Identifies the waypoint in all stores.
    public var id: UUID
    /// The coordinate, with the altitude in metres if known.
    public var coordinate: Coordinate
    /// Creation time as the row holds it, which cannot be empty: `unknownTime` if it is not known.
    public var timestamp: Timestamp
    /// Short name; may be empty.
    public var label: String
    /// The stored category. A value other than the nine is one of a workspace's own, or of another program.
    public var rawCategory: String
    /// Longer description; may be empty.
    public var note: String
    /// Whether a photo is stored with it.
    public var hasPhoto: Bool
    /// The hike during which it was created.
    public var hikeID: UUID?
    /// Time of the last change; `nil` if unknown.
    public var modifiedAt: Timestamp?
    /// Its name in the cloud.
    public var cloudRecordID: String?

    /// A waypoint.
    public init(
        id: UUID, coordinate: Coordinate, timestamp: Timestamp, label: String = "",
        rawCategory: String = "custom",
        note: String = "", hasPhoto: Bool = false, hikeID: UUID? = nil, modifiedAt: Timestamp? = nil,
        cloudRecordID: String? = nil
    ) {
        self.id = id
        self.coordinate = coordinate
        self.timestamp = timestamp
        self.label = label
        self.rawCategory = rawCategory
        self.note = note
        self.hasPhoto = hasPhoto
        self.hikeID = hikeID
        self.modifiedAt = modifiedAt
        self.cloudRecordID = cloudRecordID
    }

    /// The start of 1970, at which clocks stand that were never set: the row of a waypoint whose time is not known has it.
    public static let unknownTime = Timestamp(milliseconds: 0)

    /// Creation time; `nil` if unknown.
    public var time: Timestamp? { timestamp == Self.unknownTime ? nil : timestamp }

    /// The category, without the looks that a workspace defines.
    public var category: WaypointCategory { WaypointCategory.reading(rawCategory) }

    /// The first eight digits of the identifier in lower case, as a short name.
    public var shortID: String { String(id.uuidString.prefix(8)).lowercased() }
}

/// A waypoint's photo and thumbnail, both JPEG.
public struct WaypointPhoto: Sendable, Hashable {
    /// Full size; `nil` on a device that received only the thumbnail.
    public var photo: Data?
    /// 100 × 100 pixels.
    public var thumbnail: Data?

    /// A photo and its thumbnail.
    public init(photo: Data?, thumbnail: Data?) {
        self.photo = photo
        self.thumbnail = thumbnail
    }
}

extension Waypoint {
    /// Whether a row holds the same for both, to the byte; the name of its record in the cloud is no content, and a sync writes it.
    package func isStored(as other: Waypoint) -> Bool {
        var mine = self
        mine.cloudRecordID = other.cloudRecordID
        return mine == other && label.isStored(as: other.label) && rawCategory.isStored(as: other.rawCategory)
            && note.isStored(as: other.note)
    }

    /// Its label, or its short identifier if it has none.
    public var name: String { label.isEmpty ? shortID : label }
}
