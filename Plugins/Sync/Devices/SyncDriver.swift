import CivilTime
import Foundation
import PluginKit

/// Runs the engine against a real cloud: sends its requests, and waits between attempts.
struct SyncDriver {
    let context: Context
    let device: DeviceEntry
    /// The device's folder.
    let folder: URL

    /// The result of a sync.
    struct Result: Sendable {
        var counts = SyncCounts()
        /// Failed attempts.
        var failures = 0
        /// Seconds waited between attempts.
        var waited = 0.0
        /// What the device did not send or write.
        var aside: [AsideEntry] = []
        /// Records whose row was brought back.
        var broughtBack = 0
    }

    private var now: Int64 { device.now(context) }

    /// Runs a sync to its end. Cancellation takes effect between attempts.
    func run(
        _ mode: SyncMachine.Mode, store open: () throws -> FolderStore, cloud: any CloudBackend,
        mayDeleteMany: Bool
    ) async throws -> Result {
        let lock = try DeviceLock(folder)
        defer { lock.release() }
        try device.requireClock()
        do { return try await run(mode, store: open, cloud, mayDeleteMany) } catch {
            throw SyncMemory.explained(error, isOfMemory: false)
        }
    }

    private func run(
        _ mode: SyncMachine.Mode, store open: () throws -> FolderStore, _ cloud: any CloudBackend,
        _ mayDeleteMany: Bool
    ) async throws -> Result {
        // Opened under the lock, so that the writes of another sync are read.
        var store = try open()
        try LocalChangeDetector.catchUp(in: &store, now: now, rule: device.rule)
        let isCopy = try store.claim(device.identifier)
        var machine = SyncMachine(rule: device.rule)
        machine.reports = device.rule != .seed
        machine.mayDeleteMany = mayDeleteMany || device.rule == .seed
        // Also after a sync that did not finish: what was acknowledged is in the cloud.
        defer { store.nameRecords() }
        if device.rule == .seed {
            return try await run(mode, machine, store: SeedStore.seed(store), cloud: cloud)
        }
        var result = try await run(mode, machine, store: store, cloud: cloud)
        if mode != .push { try store.tidy() }
        if isCopy { result.counts.renewals += 1 }
        result.counts.parked = try store.parkedCount()
        result.aside = try store.setAside()
        result.broughtBack = store.broughtBack
        return result
    }

    private func run(
        _ mode: SyncMachine.Mode, _ start: SyncMachine, store: some DeviceStore, cloud: any CloudBackend
    ) async throws -> Result {
        var (machine, store, cloud) = (start, store, cloud)
        var result = Result()
        do {
            var output = try machine.start(mode, in: &store, now: now)
            if !machine.mayDeleteMany, mode != .pull { try checkDeletions(store) }
            while true {
                try context.checkCancelled()
                switch output {
                case .finished(let ending):
                    result.counts = machine.counts
                    if case .exhausted = ending, device.rule == .seed {
                        // The app waits after its last attempt, too.
                        let last = SyncSettings.delay(after: SyncSettings.attempts)
                        SyncEvents.waiting(last, attempt: SyncSettings.attempts, context)
                        result.waited += try await pause(last)
                    }
                    try conclude(ending)
                    return result
                case .wait(let seconds):
                    result.failures += 1
                    SyncEvents.waiting(seconds, attempt: machine.attempt, context)
                    result.waited += try await pause(seconds)
                    guard let request = machine.again() else { return result }
                    output = .send(request)
                case .send(let request):
                    output = try exchange(request, &cloud, &machine, &store)
                }
                context.progress.report("syncing", done: machine.counts.pushed + machine.counts.pulled)
            }
        } catch let failure as CloudFailure {
            throw SyncErrors.refused("\(failure)")
        }
    }

    private func exchange(
        _ request: CloudRequest, _ cloud: inout any CloudBackend, _ machine: inout SyncMachine,
        _ store: inout some DeviceStore
    ) throws -> SyncMachine.Output {
        SyncEvents.sending(request, number: machine.requestNumber, context)
        let reply: CloudReply
        do throws(CloudFailure) { reply = try cloud.answer(request) } catch {
            // An interrupted wait is not a failure of the cloud.
            try context.checkCancelled()
            return try machine.failed(error, in: &store)
        }
        let next = try machine.receive(reply, to: machine.requestNumber, in: &store, now: now)
        return next ?? .finished(.failed("unexpected answer"))
    }

    private func checkDeletions(_ store: some DeviceStore) throws {
        let count = try store.outbox(limit: .max).count { try store.state($0)?.local.isDeleted ?? false }
        if try SyncMachine.isMass(count, of: store.liveCount() + count) { try conclude(.wouldDelete(count)) }
    }

    private func conclude(_ ending: SyncMachine.Ending) throws { try Self.check(ending) }

    /// Throws the error of a sync that did not finish.
    static func check(_ ending: SyncMachine.Ending) throws {
        switch ending {
        case .done: return
        case .exhausted(let why):
            throw SyncErrors.exhausted(
                "\(SyncSettings.attempts) attempts failed: \(why)",
                fix: "run sync when the cloud is available again")
        case .failed(let why): throw SyncErrors.refused(why)
        case .otherAccount:
            throw SyncErrors.account(
                "the records of this device belong to another account than the cloud, or the cloud is a new one; nothing was sent",
                fix:
                    "sync account merge if the cloud was lost or is new; if it is another account's, sync account apart or remove"
            )
        case .wouldDelete(let count):
            throw SyncErrors.massDeletion(
                "this sync would delete \(count) records",
                fix:
                    "list them with sync plan; bring them back with sync restore waypoints (or hikes, routes); or allow the deletions with --delete-many"
            )
        }
    }

    /// Waits on the session's clock: a fixed clock is advanced; a running one is waited for.
    private func pause(_ seconds: Double) async throws -> Double {
        let share = (context.random.uniform() * 2 - 1) * SyncSettings.jitter
        let delay = seconds * (1 + share)
        if context.clock.isFollowing {
            try await Task.sleep(nanoseconds: UInt64(delay * 1e9))
        } else {
            context.clock.advance(bySeconds: delay)
        }
        return delay
    }
}

extension DeviceEntry {
    /// Whether its clock is too far off to stamp changes by it.
    var hasFarClock: Bool { SyncSettings.isFar(offset) }

    /// Throws if its clock is too far off to stamp changes by it.
    func requireClock() throws(RutterError) {
        if !hasFarClock { return }
        let days = offset.magnitude / UInt64(SyncSettings.clockTolerance)
        throw SyncErrors.clock(
            "the clock of \(name) is \(days) days off", fix: "device set \(name) --clock 0s")
    }

    /// The time on the device's own clock, in milliseconds since 1970.
    func now(_ context: Context) -> Int64 {
        context.clock.trueNow.advanced(bySeconds: Double(offset) / 1000).milliseconds
    }
}

/// Allows one sync at a time per device, also between processes. The lock ends with the process that holds
/// it.
final class DeviceLock {
    private let descriptor: Int32

    init(_ folder: URL) throws {
        descriptor = open(
            folder.appendingPathComponent("sync.lock").path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        if descriptor < 0 { throw CommonErrors.fileAccess("sync.lock: \(String(cString: strerror(errno)))") }
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            close(descriptor)
            throw SyncErrors.refused("another sync of this device is running", fix: "wait until it ends")
        }
    }

    /// Unlocks before closing: a process forked meanwhile holds the descriptor, too.
    func release() {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
