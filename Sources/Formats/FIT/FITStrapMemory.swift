import CivilTime
import Core

/// The heart rates that a strap kept while it had no connection, as under water (message 132, "hr"). The first message states the time of
/// a count of ticks; those that follow count on in twelve bits.
struct FITStrapMemory {
    private var rates: [(time: Timestamp, rate: Double)] = []
    /// A moment, and the strap's count of ticks then.
    private var start: (time: Timestamp, ticks: Int64)?
    private var ticks: Int64 = 0

    /// Fields of the message.
    private enum Field {
        static let fraction: UInt8 = 0
        static let time256: UInt8 = 1
        static let rates: UInt8 = 6
        static let ticks: UInt8 = 9
        static let shortTicks: UInt8 = 10
    }
    private static let ticksOfFraction = 32_768.0
    private static let ticksOfTime256 = 256.0

    var count: Int { rates.count }
    var isEmpty: Bool { rates.isEmpty }

    mutating func add(_ message: FITMessage) {
        let whole = message.elements(Field.ticks).compactMap(\.self)
        if let time = message.time, let first = whole.first {
            let fraction =
                message.number(Field.fraction, scale: Self.ticksOfFraction)
                ?? message.number(Field.time256, scale: Self.ticksOfTime256) ?? 0
            start = (time.advanced(bySeconds: fraction), first)
        }
        guard let start else { return }
        var counts = whole
        if whole.isEmpty {
            for short in Self.twelveBits(message.elements(Field.shortTicks).map { $0 ?? 0 }) {
                ticks += (short - ticks) & (FITProfile.strapTurn - 1)
                counts.append(ticks)
            }
        }
        ticks = counts.last ?? ticks
        for (count, rate) in zip(counts, message.elements(Field.rates)) {
            guard let rate, rate > 0 else { continue }
            rates.append(
                (
                    start.time.advanced(bySeconds: Double(count - start.ticks) / FITProfile.strapTicks),
                    Double(rate)
                ))
        }
    }

    /// Numbers of twelve bits, two in three bytes.
    private static func twelveBits(_ bytes: [Int64]) -> [Int64] {
        stride(from: 0, to: bytes.count / 3 * 3, by: 3).flatMap { index -> [Int64] in
            let (low, middle, high) = (bytes[index], bytes[index + 1], bytes[index + 2])
            return [low | (middle & 0xF) << 8, middle >> 4 | high << 4]
        }
    }

    /// The heart rate that holds at a time; `nil` if none was measured shortly before.
    func rate(at time: Timestamp) -> Double? {
        let next = rates.partitionIndex { $0.time > time }
        guard next > 0, time.seconds(since: rates[next - 1].time) <= FITProfile.strapHold else { return nil }
        return rates[next - 1].rate
    }
}
