import PluginKit

extension Value {
    /// The same value; errors that occur while a stream makes its rows go through `change`.
    func mappingStreamErrors(_ change: @escaping @Sendable (RutterError) -> RutterError) -> Value {
        guard case .stream(let stream) = self else { return self }
        return .stream(
            ValueStream(columns: stream.columns) {
                let iterator: ValueStream.Iterator
                do {
                    iterator = try stream.makeIterator()
                } catch let error as RutterError {
                    throw change(error)
                }
                return ValueStream.Iterator {
                    do {
                        return try iterator.next()
                    } catch let error as RutterError {
                        throw change(error)
                    }
                }
            })
    }
}
