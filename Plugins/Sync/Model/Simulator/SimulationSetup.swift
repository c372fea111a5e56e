/// The setup of a simulation.
package struct SimulationSetup: Sendable {
    package let devices: Int
    package let records: Int
    package var rule: SyncRule
    package var faults: Faults
    /// Whether an answer to any save is mistaken for the current one: a fault of a device's process.
    package var mixesUpAnswers = false
    /// Whether a device treats another account as its own: the same kind of fault, as are those below.
    package var forgetsAccount = false
    /// Whether a reinstalled app keeps the old position.
    package var keepsToken = false
    /// Whether values from the watch link overwrite local ones.
    package var linkOverwrites = false
    /// Whether a device whose clock is far off stamps changes by it.
    package var trustsFarClocks = false
    /// Whether a receiver adopts the sender's knowledge of fields that are not sent.
    package var linkTakesAll = false
    /// Whether tokens and blobs are checked after every save instead of at the end only.
    package var looksAtEverySave = false
    /// Whether deleted values must not return even temporarily. This cannot be guaranteed while devices lose
    /// data or late items of the watch link arrive: the deletion may be unknown there.
    package var watchesDeletions = false
    /// Called after the last step, to end faults of real disks and networks.
    package var willSettle: (@Sendable () throws -> Void)?
    /// Whether everything is delivered a second time at the end.
    var checksRedelivery = true
    /// Whether the cloud removes blobs when it discards tombstones. Clouds may do so at different times.
    package var collectsBlobs = true
    /// Whether the cloud is checked for records without their blobs.
    var checksBlobs = true

    /// The types of records, in turn.
    package var types: [RecordType] = [.waypoint]

    /// The key of a record; the one after the last is of an unknown type.
    package func key(_ record: Int) -> RecordKey {
        RecordKey(
            type: record < records ? types[record % types.count] : SimulatedStore.unknownType,
            name: RecordName(high: 0, low: UInt64(record)))
    }

    /// One record more than there are devices.
    package init(devices: Int = 3, rule: SyncRule = .merge, faults: Faults = .all) {
        self.devices = devices
        records = devices + 1
        self.rule = rule
        self.faults = faults
    }
}

/// The settings of the simulator.
package enum SimulationSettings {
    /// 2026-02-06T08:00:00Z in milliseconds since 1970.
    package static let start: Int64 = 1_770_364_800_000
    /// Fields of a record, in key order.
    static let schema = ["a", "b", "p"]
    /// Fields known to a newer app.
    static let newerSchema = ["a", "b", "p", "z"]
    /// The field that only newer apps have.
    static let newField = "z"
    /// The error of a clock that is years ahead, in milliseconds: ten years.
    static let farAhead: Int64 = 10 * 365 * 86_400_000
    /// The field that is a blob.
    static let blobField = "p"
    /// Small requests and pages, so that schedules reach their limits.
    static let batch = 3
    static let page = 2
    package static let firstEpoch: UInt64 = 1
    static let restores: UInt64 = 2
    /// The device of a newer app.
    static let newerDevice: UInt64 = 0xf000
    static let otherEpoch: UInt64 = 1 << 40
    /// The value of the other account's record.
    static let otherValue = FieldValue.integer(-7)
    /// The zone of the other account.
    package static let otherZone: MemoryZone = {
        var zone = MemoryZone(epoch: otherEpoch)
        let field = Field(key: "a", value: otherValue, stamp: Stamp(time: 1, device: newerDevice))
        _ = zone.answer(
            .save(
                token: ChangeToken(epoch: otherEpoch, number: 0),
                operations: [
                    SaveOperation(
                        id: OperationID(device: newerDevice, number: 1), key: SimulatedStore.key(0),
                        baseTag: 0, version: Version(fields: [field]))
                ]))
        return zone
    }()
    static let mostMessages = 24
    /// How often a request of the checks is retried.
    static let retries = 20
    /// Maximum clock error: five minutes, or half a day.
    static let secondsAhead = 300
    static let minutesAhead = 720
    static let mostExchanges = 200
    static let writesToCrash = 6
    static let tombstoneAge = 6
    static let longestOutage = 10
    static let betweenSyncs: Int64 = 60_000
}
