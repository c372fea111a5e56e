extension ProgressReporter {
    /// The same stream, whose rows are counted as they pass, and which stops when its task is cancelled.
    public func watching(_ stream: ValueStream) -> ValueStream {
        let rows = rows
        return ValueStream(columns: stream.columns) {
            let iterator = try stream.makeIterator()
            return ValueStream.Iterator {
                try Interruption.check()
                rows?.count()
                return try iterator.next()
            }
        }
    }
}
