import PluginKit

/// Kinds of error of the watch link.
enum LinkErrors {
    static let unreachable = ErrorKind(
        "E-LINK-UNREACHABLE", "the other device cannot be reached",
        explanation: """
            A message is delivered only while both apps run and both devices are connected; it is not queued. `link send` with the \
            channel userInfo is delivered later.
            """)
    static let payload = ErrorKind(
        "E-LINK-PAYLOAD", "unsupported link payload",
        explanation: """
            The link carries flat dictionaries: a JSON object whose values are strings, numbers, true or false. A thumbnail \
            is under 10 KB.
            """)
    static let peers = ErrorKind(
        "E-LINK-PEERS", "these devices have no link",
        explanation: "The watch link connects a phone and a watch. Tablets and Macs sync through the cloud.")
    static let item = ErrorKind(
        "E-LINK-NONE", "no queued items",
        explanation: "`link list` shows the queues.")

    static let order = ErrorKind(
        "E-LINK-ORDER", "no item can overtake",
        explanation: """
            Each channel of the link delivers items in the order in which they were sent; only items on different channels \
            can arrive in another order. `link mode field` lets any queue lose its order.
            """)

    static let all = [unreachable, payload, peers, item, order]
}
