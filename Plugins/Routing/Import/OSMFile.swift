import COsmium
import Foundation
import Geodesy

/// A map file shared by several concurrent readers: blocks that one of them found irrelevant are not unpacked
/// by the others.
///
/// Unchecked: the library locks its shared state.
final class OSMFile: @unchecked Sendable {
    let url: URL
    /// The library's handle of the file.
    let handle: OpaquePointer?
    /// How many objects an editor had marked as deleted; they are left out.
    let deleted: Int
    /// Whether the area that it declares to cover has no numbers; it is left out.
    private let hasUnreadableBounds: Bool
    /// The folder of the file without them, which is read instead.
    private let scratch: URL?

    init(_ url: URL) {
        self.url = url
        let bounded = EditedMap.withoutUnreadableBounds(url)
        let edited =
            bounded == nil ? EditedMap.withoutDeletions(url) : bounded.flatMap(EditedMap.withoutDeletions)
        hasUnreadableBounds = bounded != nil
        if let data = edited?.data ?? bounded, let folder = try? FileManager.default.scratchFolder("map") {
            let copy = folder.appendingPathComponent("edited.osm")
            scratch = folder
            deleted = edited?.deleted ?? 0
            // If it cannot be written, reading it says so.
            _ = try? data.write(to: copy)
            handle = cosm_open(copy.path)
        } else {
            (scratch, deleted) = (nil, 0)
            handle = cosm_open(url.path)
        }
    }

    /// What is said of deleted objects, and of an area that is not read.
    var notices: [String] {
        [
            deleted > 0 ? "\(deleted, of: "object") that an editor marked as deleted left out" : nil,
            hasUnreadableBounds
                ? "the bounds of the file are no numbers; the area that it covers is taken from what is in it"
                : nil,
        ].compactMap(\.self)
    }

    /// Sets the maximum bytes of unpacked blocks kept for further readers, and releases those kept so far.
    func keepBlocks(bytes: Int) { cosm_keep_blocks(handle, bytes) }

    /// The area that the file declares to cover; `nil` if it declares none, or one that is no area.
    var declaredBounds: BoundingBox? {
        var edges = [Double](repeating: 0, count: 4)
        guard cosm_bounds(handle, &edges) != 0, edges[0] < edges[2], edges[1] != edges[3] else { return nil }
        return BoundingBox(south: edges[0], west: edges[1], north: edges[2], east: edges[3])
    }

    deinit {
        cosm_close(handle)
        if let scratch { FileManager.default.discard(scratch) }
    }
}
