import Foundation

/// The state of a source during a block.
struct SourceState: Sendable, Hashable {
    /// Degrees clockwise from ahead, 0 ≤ relative < 360; `nil` if it is reached and has no direction.
    var relative: Double?
    /// Level, 0…1.
    var gain: Float
    /// Whether one faces it, which is heard.
    var isFacing = false
}

/// Renders sources around a listener, block by block.
///
/// Each block of a source is transformed once, multiplied with the spectra of its direction (uniformly
/// partitioned convolution, overlap–save), and added to the sum of all; only the sum is transformed back.
/// If a direction changes, the block is rendered from both the old and the new one and cross-faded, to
/// avoid clicks. Silent sources cost nothing.
struct SceneRenderer {
    private struct Source {
        let tone: SourceSignal
        let arrival: SourceSignal
        let facing: SourceSignal
        /// The input of the previous block.
        var last: [Float]
        /// Spectra of the newest blocks, a ring.
        var spectra: [Float]
        /// Whether each block of the ring is non-zero.
        var isHeard: [Bool]
        var state: SourceState?
    }

    private let transform: FourierTransform
    private var filters: FilterBank
    private var sources: [Source]
    private var block = 0
    private var limiter = Limiter()
    /// Sums of spectra: steady, fading in, fading out.
    private var sums: [Float]
    private var isUsed = [false, false, false]
    private static let frames = BeaconSettings.block
    private static let size = 2 * BeaconSettings.block

    /// The greatest level before limiting, and the samples that were limited.
    var peak: Float { limiter.peak }
    var limited: Int { limiter.compressed }

    /// A scene of tones around a head. The pings of n sources are staggered by an nth of their interval.
    init(tones: [ToneGenerator], arrival: ToneGenerator, facing: ToneGenerator, head: any HeadModel) {
        transform = FourierTransform(count: Self.size)
        filters = FilterBank(head: head, transform: transform)
        let parts = filters.parts
        sources = tones.enumerated().map { index, tone in
            let offset = tone.period * index / max(1, tones.count)
            return Source(
                tone: SourceSignal(tone, offset: offset), arrival: SourceSignal(arrival, offset: offset),
                facing: SourceSignal(facing, offset: offset),
                last: [Float](repeating: 0, count: Self.frames),
                spectra: [Float](repeating: 0, count: 2 * Self.size * parts),
                isHeard: [Bool](repeating: false, count: parts), state: nil)
        }
        sums = [Float](repeating: 0, count: 3 * 2 * Self.size)
    }

    /// The next block: left and right interleaved, never beyond ±1. `states` has the state of each source at the end of
    /// the block.
    mutating func render(_ states: [SourceState], into out: UnsafeMutableBufferPointer<Float>) {
        for index in sums.indices { sums[index] = 0 }
        isUsed = [false, false, false]
        for (index, state) in states.enumerated() { add(index, state) }
        finish(into: out)
        block += 1
    }

    private mutating func add(_ index: Int, _ state: SourceState) {
        let before = sources[index].state ?? state
        let slot = block % filters.parts
        let isHeard = transformInput(index, from: before, to: state, slot)
        sources[index].isHeard[slot] = isHeard
        sources[index].state = state
        guard sources[index].isHeard.contains(true) else { return }
        let (old, new) = (Self.key(before), Self.key(state))
        if old == new {
            multiply(index, new, slot, into: 0)
        } else {
            multiply(index, new, slot, into: 1)
            multiply(index, old, slot, into: 2)
        }
    }

    private static func key(_ state: SourceState) -> Int {
        state.relative.map(FilterBank.key) ?? FilterBank.everywhere
    }

    /// Renders the newest block of a source and its spectrum; returns whether it is audible.
    private mutating func transformInput(
        _ index: Int, from before: SourceState, to state: SourceState, _ slot: Int
    ) -> Bool {
        let frames = Self.frames
        var input = [Float](repeating: 0, count: frames)
        let start = block * frames
        let (tone, arrival, facing) = (
            sources[index].tone, sources[index].arrival, sources[index].facing
        )
        var isHeard = false
        input.withUnsafeMutableBufferPointer { input in
            // A source that is reached fades from its tone to the arrival tone.
            let (from, to) = (before.relative == nil ? Float(0) : 1, state.relative == nil ? Float(0) : 1)
            for (signal, first, last) in [
                (tone, before.gain * from, state.gain * to), (arrival, 1 - from, 1 - to),
                (facing, before.isFacing ? before.gain : 0, state.isFacing ? state.gain : 0),
            ] where first != 0 || last != 0 {
                let step = (last - first) / Float(frames)
                isHeard = signal.add(from: start, into: input, gain: first, step: step) || isHeard
            }
        }
        let hadInput = sources[index].last.contains { $0 != 0 }
        guard isHeard || hadInput else { return false }
        let last = sources[index].last
        let size = Self.size
        let transform = transform
        sources[index].spectra.withUnsafeMutableBufferPointer { spectra in
            guard let base = spectra.baseAddress else { return }
            let re = base + 2 * size * slot
            let im = re + size
            for sample in 0..<frames {
                re[sample] = last[sample]
                re[frames + sample] = input[sample]
            }
            for bin in 0..<size { im[bin] = 0 }
            transform.forward(re, im)
        }
        sources[index].last = input
        return true
    }

    /// Adds a source's newest blocks times the parts of a response to one of the sums.
    private mutating func multiply(_ index: Int, _ key: Int, _ slot: Int, into sum: Int) {
        let filter = filters.spectrum(key)
        let (parts, size) = (filters.parts, Self.size)
        isUsed[sum] = true
        let isHeard = sources[index].isHeard
        sources[index].spectra.withUnsafeBufferPointer { spectra in
            filter.withUnsafeBufferPointer { filter in
                sums.withUnsafeMutableBufferPointer { sums in
                    guard let x = spectra.baseAddress, let h = filter.baseAddress, let y = sums.baseAddress
                    else { return }
                    let (yr, yi) = (y + 2 * size * sum, y + 2 * size * sum + size)
                    for part in 0..<parts {
                        let ring = (slot - part + parts) % parts
                        guard isHeard[ring] else { continue }
                        let (xr, xi) = (x + 2 * size * ring, x + 2 * size * ring + size)
                        let (hr, hi) = (h + 2 * size * part, h + 2 * size * part + size)
                        for bin in 0..<size {
                            yr[bin] += xr[bin] * hr[bin] - xi[bin] * hi[bin]
                            yi[bin] += xr[bin] * hi[bin] + xi[bin] * hr[bin]
                        }
                    }
                }
            }
        }
    }

    /// Transforms the sums back, fades them together and limits them.
    private mutating func finish(into out: UnsafeMutableBufferPointer<Float>) {
        let (frames, size) = (Self.frames, Self.size)
        for index in out.indices { out[index] = 0 }
        guard isUsed.contains(true) else { return }
        let scale = BeaconSettings.sceneGain / Float(size)
        let transform = transform
        sums.withUnsafeMutableBufferPointer { sums in
            guard let base = sums.baseAddress else { return }
            for sum in 0..<3 where isUsed[sum] {
                let re = base + 2 * size * sum
                let im = re + size
                transform.backward(re, im)
                for frame in 0..<frames {
                    let share = (Float(frame) + 0.5) / Float(frames)
                    let weight = scale * (sum == 0 ? 1 : sum == 1 ? share : 1 - share)
                    out[2 * frame] += re[frames + frame] * weight
                    out[2 * frame + 1] += im[frames + frame] * weight
                }
            }
        }
        for index in out.indices { out[index] = limiter.limited(out[index]) }
    }
}
