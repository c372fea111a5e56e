import PluginKit

/// The stop of a command: named, or from the pipe.
struct StopInput: Sendable {
    let named: StopObject?

    static let parameter = Parameter.optional(
        "stop", ParameterType<StopObject>.reference(StopObject.kind, to: StopObject.self),
        "stop by name or id; default: the stop or departure from the pipe"
    ).map { StopInput(named: $0) }

    /// The same for a command that does without a stop.
    static let optional = Parameter.optional(
        "stop", ParameterType<StopObject>.reference(StopObject.kind, to: StopObject.self),
        "stop by name or id; default: the stop or departure from the pipe, if any"
    ).map { StopInput(named: $0) }

    /// The stop; `nil` if none is named and nothing is in the pipe.
    func recordIfAny(_ input: Value, _ library: FeedLibrary, _ context: Context) throws -> StopRecord? {
        if named == nil, case .nothing = input { return nil }
        return try record(input, library, context)
    }

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
                fix: "name one, or pipe one in: stop find TEXT | first | …")
        case .list, .rows:
            throw CommonErrors.inputKind(
                "the command takes one stop, not \(input.kindName == "list" ? "a list" : "rows")",
                fix: "pipe one of them: … | first | …")
        default: break
        }
        let id = input.field("stopId") ?? input.field("id")
        if case .text(let id)? = id, let found = try library.feed(context).stops.with(id: id) { return found }
        throw CommonErrors.inputKind("the command takes a stop or a departure, not \(input.kindName)")
    }
}
