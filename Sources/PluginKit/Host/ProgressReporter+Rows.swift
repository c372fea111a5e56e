extension ProgressReporter {
    /// The same rows, counted as they pass; they stop when their task is cancelled.
    public func watching(_ rows: Rows) -> Rows {
        let meter = self.rows
        var watched = rows.deriving(columns: rows.columns, fields: rows.sameFields) { source in
            {
                try Interruption.check()
                meter?.count()
                return try source.next()
            }
        }
        watched.note = rows.note
        return watched
    }
}
