import PluginKit

/// The stop of a command: named, or from the pipe.
struct StopInput: Sendable {
    let named: StopObject?

    static let parameter = Parameter.optional(
        "stop", ParameterType<StopObject>.reference(StopObject.kind, to: StopObject.self),
        "stop by name or id; default: the stop or departure from the pipe"
    ).map { StopInput(named: $0) }

    /// The stop. Throws `E-TRANSIT-STOP` if none is given, `E-INPUT-KIND` for another value in the pipe.
    func record(_ input: Value, _ library: FeedLibrary, _ context: Context) throws -> StopRecord {
        if let named { return named.stop }
        switch input {
        case .object(let object):
            if let found = object as? StopObject { return found.stop }
            if let departure = object as? Departure { return departure.stop }
            if let drawer = object as? DrawerObject { return drawer.drawer.stop }
        case .nothing:
            throw TransitErrors.noStop(
                "a stop is missing",
                fix: "name one, or pipe one in: stops search TEXT | first | …")
        case .list, .rows:
            throw CommonErrors.inputKind(
                "the command takes one stop, not \(input.kindName == "list" ? "a list" : "rows")",
                fix: "pipe one of them: … | first | …")
        default: break
        }
        let id = input.field("stopId") ?? input.field("id")
        if case .text(let id)? = id, let found = try library.feed(context).stop(id: id) { return found }
        throw CommonErrors.inputKind("the command takes a stop or a departure, not \(input.kindName)")
    }
}
