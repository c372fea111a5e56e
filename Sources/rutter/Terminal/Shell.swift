import Foundation

/// Lines of the system's shell, run at the terminal: `!ls` at the prompt, and editors.
enum Shell {
    /// What a shell returns for a program that it cannot run or find.
    static let cannotStart = [126, 127] as [Int32]

    /// Runs a line to its end with the terminal's input and output; returns its exit status, 128 and the signal if one ended it.
    static func run(_ line: String) async -> Int32 {
        await withCheckedContinuation { continuation in
            // The shell is waited for; a thread of the pool must not be.
            Thread.detachNewThread {
                // Ctrl-C is meant for the shell's program.
                let status = system(line)
                let signal = status & 0x7F
                continuation.resume(returning: signal == 0 ? (status >> 8) & 0xFF : 128 + signal)
            }
        }
    }
}
