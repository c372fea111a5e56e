import Core
import PluginKit
import Synchronization

/// Images that pages asked for with an entry: photos and other blobs of stores. What is sent is a JPEG or PNG by its first bytes, never
/// under the type that a store or a file says. Their addresses come from their bytes, so that a session gives the same ones each time.
final class ImagePages: Sendable {
    private struct State: Sendable {
        var images: [String: ImageFile] = [:]
        /// The addresses in their order, the oldest first.
        var order: [String] = []
        var bytes = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    /// The address of an image, which stays until others have taken its room.
    func address(of image: ImageFile) -> String {
        state.withLock { state in
            var hash = FNV1a.hash(image.bytes)
            var name: String { String(hash, radix: 36) }
            // Two images may have one hash; neither must be shown as the other.
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
            return .text(404, "there is no such image any more\n")
        }
        return WebResponse(
            status: 200,
            headers: [
                ("Content-Type", image.kind.rawValue), ("Content-Disposition", "inline"),
                ("Cache-Control", "private, max-age=600"),
            ], body: Array(image.bytes))
    }
}
