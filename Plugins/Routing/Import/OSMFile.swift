import COsmium
import Foundation

/// A map file that several readers read at once; what one learns of its blocks spares the others unpacking them.
///
/// Unchecked: the library locks what is shared.
final class OSMFile: @unchecked Sendable {
    let url: URL
    /// What the library knows the file by.
    let handle: OpaquePointer?

    init(_ url: URL) {
        self.url = url
        handle = cosm_open(url.path)
    }

    /// Keeps up to so many bytes of unpacked blocks for further readers, instead of those kept so far.
    func keepBlocks(bytes: Int) { cosm_keep_blocks(handle, bytes) }

    deinit { cosm_close(handle) }
}
