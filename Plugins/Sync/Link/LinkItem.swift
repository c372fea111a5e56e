import TrailStores

/// The four channels between phone and watch.
enum LinkChannel: String, Sendable, CaseIterable {
    /// A first-in, first-out queue that continues while the sender is suspended.
    case userInfo
    /// A queue of files with metadata.
    case file
    /// One slot each way: the newest replaces.
    case context
    /// Delivered at once or not at all.
    case message

    var words: String {
        switch self {
        case .userInfo: "a queue, first in first out"
        case .file: "a queue of files"
        case .context: "one slot, the newest replaces"
        case .message: "at once or not at all"
        }
    }
}

/// An item sent from one device to another.
struct LinkItem: Sendable {
    /// Its delivery state.
    enum State: String, Sendable {
        case queued, applied, duplicate, unknown, failed, dropped, replaced
    }

    /// The type of a planned route, whose metadata name its `routeId`.
    static let plannedRoute = "plannedRoute"

    let id: Int64
    let message: String
    let sender: String
    let receiver: String
    let channel: LinkChannel
    let payload: [String: TransferDictionary.Primitive]
    let file: String?
    var state: State
    var detail: String

    var type: String {
        if case .text(let type)? = payload["type"] { return type }
        return ""
    }
}
