import COsmium
import Foundation

/// A map file shared by several concurrent readers: blocks that one of them found irrelevant are not unpacked
/// by the others.
///
/// Unchecked: the library locks its shared state.
final class OSMFile: @unchecked Sendable {
    let url: URL
    /// The library's handle of the file.
    let handle: OpaquePointer?

    init(_ url: URL) {
        self.url = url
        handle = cosm_open(url.path)
    }

    /// Sets the maximum bytes of unpacked blocks kept for further readers, and releases those kept so far.
    func keepBlocks(bytes: Int) { cosm_keep_blocks(handle, bytes) }

    deinit { cosm_close(handle) }
}
