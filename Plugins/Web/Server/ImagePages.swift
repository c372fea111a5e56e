import Core
import PluginKit
import Synchronization

/// Images requested by pages with an entry: photos and other blobs of stores. The content type is JPEG or PNG
/// by the first bytes, never the type stated by a store or file. Their addresses are hashes of their bytes,
/// so that they are deterministic.
final class ImagePages: Sendable {
    private struct State: Sendable {
        var images: [String: ImageFile] = [:]
        /// The addresses in order, the oldest first.
        var order: [String] = []
        var bytes = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    /// The address of an image, which is kept until others replace it.
    func address(of image: ImageFile) -> String {
        state.withLock { state in
            var hash = FNV1a.hash(image.bytes)
            var name: String { String(hash, radix: 36) }
            // Two images may have the same hash; neither may be shown as the other.
            while let other = state.images[name], other != image { hash &+= 1 }
            if state.images[name] == nil {
                state.bytes += image.bytes.count
                state.images[name] = image
                state.order.append(name)
            }
            while state.bytes > limit, state.order.count > 1 {
                state.bytes -= state.images.removeValue(forKey: state.order.removeFirst())?.bytes.count ?? 0
            }
            return "/images/" + name
        }
    }

    func response(to path: Substring) -> WebResponse {
        guard let image = state.withLock({ $0.images[String(path.dropFirst("/images/".count))] }) else {
            return .text(404, "the image no longer exists\n")
        }
        return WebResponse(
            status: 200,
            headers: [
                ("Content-Type", image.kind.rawValue), ("Content-Disposition", "inline"),
                ("Cache-Control", "private, max-age=600"),
            ], body: Array(image.bytes))
    }
}
