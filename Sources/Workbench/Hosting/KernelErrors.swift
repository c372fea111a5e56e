import PluginKit

/// Kinds of error of the workbench as a Jupyter kernel.
public enum KernelErrors {
    /// The connection file is invalid, or its addresses cannot be used.
    public static let connection = ErrorKind(
        "E-KERNEL-CONNECTION", "the Jupyter kernel cannot listen",
        explanation: """
            Jupyter starts the kernel with a file of five ports and a key. The kernel listens only on addresses of this \
            machine, and each port must be free.
            """)
    /// A kernel specification cannot be written or removed.
    public static let specification = ErrorKind(
        "E-KERNEL-SPEC", "the kernel specification cannot be changed",
        explanation: """
            `rutter kernel install` writes a folder with `kernel.json` where Jupyter looks for kernels; `rutter kernel remove` \
            deletes it. A folder that belongs to another kernel is left alone.
            """)
    /// A client's request violates the protocol.
    public static let request = ErrorKind(
        "E-KERNEL-REQUEST", "invalid request to the Jupyter kernel",
        explanation: "A field that the messaging protocol requires is missing or of the wrong type.")

    /// All kinds.
    public static let all = [connection, specification, request]
}
