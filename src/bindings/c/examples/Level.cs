// SPDX-License-Identifier: GPL-3.0-or-later
// Rokada from C# through P/Invoke: a game at 800 Elo with a callback for every line of thinking. Build: mcs Level.cs
using System;
using System.Runtime.InteropServices;
using System.Text;

static class Rokada {
    const string Library = "librokada.so.1";

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public delegate void OnInfo(IntPtr user, IntPtr info);
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    public delegate void OnBestMove(IntPtr user, ushort move, ushort ponder);

    [StructLayout(LayoutKind.Sequential)]
    public struct Callbacks {
        public UIntPtr Size;
        public IntPtr User;
        public OnInfo Info;
        public OnBestMove BestMove;
        public IntPtr Message;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Limits {
        public UIntPtr Size;
        public long White, Black, WhiteIncrement, BlackIncrement, MoveTime;
        public ulong Nodes;
        public int MovesToGo, Depth, Mate, Infinite, Ponder, SearchMovesLength;
        public IntPtr SearchMoves;
    }

    [DllImport(Library)]
    public static extern IntPtr rokada_version();
    [DllImport(Library)]
    public static extern IntPtr rokada_last_error();
    [DllImport(Library)]
    public static extern int rokada_game_new(IntPtr start, int rule, out IntPtr game);
    [DllImport(Library)]
    public static extern void rokada_game_free(IntPtr game);
    [DllImport(Library)]
    public static extern int rokada_game_play(IntPtr game, ushort move);
    [DllImport(Library)]
    public static extern UIntPtr rokada_game_pgn(IntPtr game, byte[] text, UIntPtr size);
    [DllImport(Library)]
    public static extern int rokada_engine_new(ref Callbacks callbacks, out IntPtr engine);
    [DllImport(Library)]
    public static extern int rokada_engine_free(IntPtr engine);
    [DllImport(Library)]
    public static extern int rokada_engine_set_elo(IntPtr engine, int elo);
    [DllImport(Library)]
    public static extern int rokada_engine_set_game(IntPtr engine, IntPtr game);
    [DllImport(Library)]
    public static extern int rokada_engine_go(IntPtr engine, ref Limits limits);
    [DllImport(Library)]
    public static extern int rokada_engine_wait(IntPtr engine);

    public static void Check(int error) {
        if (error != 0) throw new Exception(Marshal.PtrToStringAnsi(rokada_last_error()));
    }
}

static class Level {
    static int Main() {
        Console.WriteLine("librokada " + Marshal.PtrToStringAnsi(Rokada.rokada_version()));
        int lines = 0;
        ushort found = 0;
        var callbacks = new Rokada.Callbacks {
            Size = (UIntPtr)Marshal.SizeOf(typeof(Rokada.Callbacks)),
            Info = (user, info) => lines++,
            BestMove = (user, move, ponder) => found = move,
        };
        IntPtr engine, game;
        Rokada.Check(Rokada.rokada_engine_new(ref callbacks, out engine));
        Rokada.Check(Rokada.rokada_engine_set_elo(engine, 800));
        Rokada.Check(Rokada.rokada_game_new(IntPtr.Zero, 0, out game));
        var limits = new Rokada.Limits { Size = (UIntPtr)Marshal.SizeOf(typeof(Rokada.Limits)),
                                         Nodes = 2000 };
        for (int ply = 0; ply < 10; ++ply) {
            Rokada.Check(Rokada.rokada_engine_set_game(engine, game));
            Rokada.Check(Rokada.rokada_engine_go(engine, ref limits));
            Rokada.Check(Rokada.rokada_engine_wait(engine));
            Rokada.Check(Rokada.rokada_game_play(game, found));
        }
        GC.KeepAlive(callbacks.Info);
        GC.KeepAlive(callbacks.BestMove);

        var text = new byte[(int)Rokada.rokada_game_pgn(game, null, UIntPtr.Zero) + 1];
        Rokada.rokada_game_pgn(game, text, (UIntPtr)text.Length);
        Console.WriteLine(Encoding.UTF8.GetString(text, 0, text.Length - 1));
        Rokada.rokada_game_free(game);
        Rokada.Check(Rokada.rokada_engine_free(engine));

        try {
            Rokada.Check(Rokada.rokada_engine_set_elo(IntPtr.Zero, 800));
        } catch (Exception error) {
            Console.WriteLine("refused: " + error.Message);
            return lines > 0 ? 0 : 1;
        }
        return 1;
    }
}
