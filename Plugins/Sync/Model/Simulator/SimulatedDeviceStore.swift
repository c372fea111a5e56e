/// Thrown when the simulator ends a device's process.
package struct SimulatedCrash: Error {
    package init() {}
}

/// A store that the simulator can inspect: its own, or one with decorators around it.
package protocol SimulatedDeviceStore: DeviceStore {
    associatedtype Inside: InspectableStore
    /// The simulator's own store.
    var simulated: Inside { get set }
}

/// The simulator's view of a store, and changes made by others than the engine.
package protocol InspectableStore: DeviceStore {
    /// A copy of everything that a device has.
    associatedtype Backup
    /// The fields that the users of this device write.
    var schema: [String] { get }
    /// The fields of a record.
    func schema(of record: Int) -> [String]
    /// The field among them that is a blob.
    func blobField(of record: Int) -> String?
    /// The state after a crash.
    var durable: SimulatedStore.Durable { get throws }
    /// The app's own rows.
    var rows: [Row?] { get throws }
    /// How many more writes succeed; `nil` for all.
    var writesLeft: Int? { get set }
    /// Whether an error is an injected fault that ends the process.
    func isOfFault(_ error: any Error) -> Bool
    /// Whether the process has ended without an error.
    var hasEnded: Bool { get }
    /// Ends the process: everything not durable is lost.
    mutating func crash() throws
    /// Writes or deletes a row as the user, at a time of the user's clock.
    mutating func userWrites(_ row: Row?, at index: Int, now: Int64) throws
    /// A blob created by the user with a write.
    mutating func userMakes(_ write: Int32) -> BlobReference
    /// A backup of the current state.
    var backup: Backup { get throws }
    /// Replaces everything with a copy: this device's own, or another's.
    mutating func bringBack(_ backup: Backup) throws
    /// Starts empty, as a new installation. `token` is kept by a faulty app.
    mutating func reinstall(keeping token: ChangeToken?) throws
    /// Drops the account of the records, as a faulty app does.
    mutating func forgetAccount() throws
}

extension StoreDecorator where Base: SimulatedDeviceStore {
    package var simulated: Base.Inside {
        get { base.simulated }
        set { base.simulated = newValue }
    }
}

extension PresentAcknowledged: SimulatedDeviceStore where Base: SimulatedDeviceStore {}
extension UnknownFieldsDropped: SimulatedDeviceStore where Base: SimulatedDeviceStore {}
extension BatchEndedByRefusal: SimulatedDeviceStore where Base: SimulatedDeviceStore {}
