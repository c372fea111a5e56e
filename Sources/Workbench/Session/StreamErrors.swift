import PluginKit

extension Value {
    /// Whether its rows are made while they are asked for.
    var isStream: Bool {
        if case .stream = self { return true }
        return false
    }

    /// The same value; errors that occur while a stream makes its rows go through `change`.
    func mappingStreamErrors(_ change: @escaping @Sendable (RutterError) -> RutterError) -> Value {
        guard case .stream(let stream) = self else { return self }
        return .stream(stream.mapErrors { change(Session.asRutterError($0)) })
    }
}
