/// What happens to the apps' own stores besides edits.
extension SimulatedWorld {
    /// Runs a fault on a device's store, if the store has faults and the device is not syncing.
    private mutating func disturb(
        _ index: Int, _ words: String, _ body: (inout any StoreWithFate) -> Bool
    ) throws -> StepResult {
        if devices[index].machine.isRunning { return "" }
        guard var store = devices[index].store.simulated as? any StoreWithFate, body(&store),
            let changed = store as? Store.Inside
        else { return "" }
        devices[index].store.simulated = changed
        return StepResult(words, device: index)
    }

    /// Whether the users of a device wait, or a record cannot be edited.
    func isDisturbed(_ index: Int, _ record: Int) -> Bool {
        guard let store = devices[index].store.simulated as? any StoreWithFate else { return false }
        return store.fate.isOpen || store.fate.obstacle(record) != nil
    }

    mutating func copyStore(_ index: Int) throws -> StepResult {
        try disturb(index, "its app's store is copied") {
            $0.copyRows()
            return true
        }
    }

    mutating func bringStoreBack(_ index: Int) throws -> StepResult {
        try disturb(index, "its app's store is replaced by the copy") { $0.bringRowsBack() }
    }

    mutating func emptyStore(_ index: Int) throws -> StepResult {
        try disturb(index, "its app's store is emptied") { $0.emptyRows() }
    }

    mutating func answerEmptied(_ index: Int) throws -> StepResult {
        try disturb(index, "its user wants the records back") { $0.answer() }
    }

    mutating func spoil(_ index: Int, _ record: Int, _ isUnreadable: Bool) throws -> StepResult {
        try disturb(index, isUnreadable ? "r\(record) cannot be read" : "r\(record) can be read again") {
            $0.spoil(record, isUnreadable)
        }
    }

    mutating func setColumn(_ index: Int, _ isThere: Bool) throws -> StepResult {
        try disturb(index, isThere ? "its app has a further column" : "its app drops a column") {
            $0.setColumn(SimulationSettings.newField, isThere)
        }
    }

    /// Ends what is open: rows can be read again, and emptied stores get theirs back.
    mutating func settleStores() throws {
        for index in devices.indices {
            for record in 0..<setup.records { _ = try spoil(index, record, false) }
            _ = try answerEmptied(index)
        }
    }
}
