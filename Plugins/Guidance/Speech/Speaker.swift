import Foundation
import PluginKit

/// Speaks during playback: finishes the current prompt, then speaks the newest pending one.
actor Speaker {
    private let program: SpeechProgram
    private let folder: URL
    private var waiting: String?
    private var present: Task<Void, any Error>?
    /// The failure, if any; it stays silent then.
    private(set) var failure: (any Error)?

    init(_ program: SpeechProgram, folder: URL) {
        self.program = program
        self.folder = folder
    }

    /// Speaks a text, or queues it until the current one has ended.
    func say(_ text: String) {
        guard failure == nil else { return }
        waiting = text
        guard present == nil else { return }
        present = Task { try await speakAll() }
    }

    private func speakAll() async throws {
        defer { present = nil }
        while let text = waiting {
            waiting = nil
            do {
                try await program.say(text, in: folder) { try Task.checkCancellation() }
            } catch {
                if !Task.isCancelled { failure = error }
                return
            }
        }
    }

    /// Stops at once.
    func stop() async {
        waiting = nil
        guard let present else { return }
        present.cancel()
        // Cancelling causes an error.
        _ = await present.result
    }
}
