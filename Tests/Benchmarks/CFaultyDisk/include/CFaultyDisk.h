#ifndef CFAULTYDISK_H
#define CFAULTYDISK_H

#include <stdint.h>

/// Disks that fail: a layer of SQLite's file system (VFS) around the usual one. Files in the folder of a disk go through it, all
/// others pass. It keeps what was written and not yet flushed, so that a power cut can lose any part of it.

/// How a disk fails at a write, a change of size, or a flush.
enum {
    /// The process ends; what it has written stays.
    FAULTY_DISK_KILL = 0,
    /// The power goes: of what was not flushed any sectors are lost.
    FAULTY_DISK_POWER = 1,
    /// The disk is full, until it is mended.
    FAULTY_DISK_FULL = 2,
    /// One write fails after a part of it.
    FAULTY_DISK_WRITE = 3,
    /// One flush fails, and what it was to flush is gone.
    FAULTY_DISK_FLUSH = 4,
    FAULTY_DISK_KINDS = 5,
};

/// Makes a disk of a folder; gives its number, or -1 when there are too many or SQLite refuses the layer.
int faulty_disk_make(const char *folder, uint64_t seed);
/// Forgets a disk. All its files must be closed.
void faulty_disk_forget(int disk);
/// Lets a disk fail in a way after so many more writes and flushes.
void faulty_disk_arm(int disk, int kind, int after);
/// Ends the processes on a disk now, by FAULTY_DISK_KILL or FAULTY_DISK_POWER.
void faulty_disk_end(int disk, int kind);
/// Flushes everything on a disk.
void faulty_disk_flush(int disk);
/// Mends a disk. After a kill or a power cut no file that was open until now can be used any more; after a power cut what is lost
/// goes from the files, which must all be closed.
void faulty_disk_mend(int disk);
/// Counts the change of a file that does not go through SQLite; gives the way in which it fails, or -1. On a disk that is full or whose
/// processes have ended all fail.
int faulty_disk_change(int disk);
/// Whether a disk has failed since it was mended last.
int faulty_disk_has_failed(int disk);
/// Whether the processes on a disk have ended.
int faulty_disk_is_dead(int disk);
/// How often disks have failed in a way, in this process.
long faulty_disk_failures(int kind);
/// Lets a disk say that it has flushed what it has not: a planted fault.
void faulty_disk_lie(int disk, int lies);

#endif
