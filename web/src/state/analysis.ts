// SPDX-License-Identifier: GPL-3.0-or-later
// The analysis board's state: a tree of moves, the shown node, the engine's lines for it.
import type { LegalMove, PositionReport, Rules } from '@rokada/wasm';
import { standardFen, turnOf } from '../board/fen';
import { whiteScore } from '../board/score';
import { movesBetween } from '../board/targets';
import { rules } from '../wasm/rules';
import { BrowserEngine, engineSupported, Stopped } from '../wasm/engine';
import type { EngineLine, EngineScore } from '../wasm/engine-protocol';
import { MoveTree, type MoveNode } from './move-tree';
import { engineThreads } from './settings';
import { Store } from './store';

export interface AnalysisState {
  tree: MoveTree;
  node: MoveNode;
  position: PositionReport | null;
  lines: readonly EngineLine[];
  evaluations: ReadonlyMap<number, EngineScore>; // by node, from White's side
  evaluating: number; // moves done, or -1 when no evaluation of the game is running
  engineOn: boolean;
  engineFailed: boolean;
  engineForbidden: boolean; // the game still goes on between people
  evaluation: 'network' | 'classical';
  lineCount: number;
  promotion: { from: string; to: string } | null;
  error: string; // of the rules: a text that could not be read
  failed: boolean;
}

export class Analysis {
  readonly store: Store<AnalysisState>;
  private rules: Rules | undefined;
  private readonly engine = new BrowserEngine(engineThreads);
  private closed = false;

  constructor() {
    const tree = new MoveTree(standardFen);
    this.store = new Store<AnalysisState>({
      tree, node: tree.root, position: null, lines: [], evaluations: new Map(), evaluating: -1, engineOn: false, engineFailed: !engineSupported(), engineForbidden: false, evaluation: 'network', lineCount: 2,
      promotion: null, error: '', failed: false,
    });
  }

  async open(fen: string, moves: readonly string[] = []): Promise<void> {
    try {
      this.rules = await rules();
    } catch {
      this.store.set({ failed: true });
      return;
    }
    if (!this.load(fen || standardFen, moves) && fen) this.load(standardFen, []);
  }

  close(): void {
    this.closed = true;
    this.engine.close();
  }

  // Replaces everything by a position with moves; false and a message when it cannot be read.
  load(fen: string, moves: readonly string[]): boolean {
    const report = this.rules?.replay(fen.trim(), moves, false);
    if (!report) return false;
    if (!report.ok) {
      this.store.set({ error: report.error });
      return false;
    }
    const tree = new MoveTree(report.fens[0]!);
    let node = tree.root;
    moves.forEach((uci, i) => (node = tree.add(node, uci, report.san[i]!, report.fens[i + 1]!)));
    this.store.set({ tree, error: '', evaluations: new Map(), evaluating: -1 });
    this.show(node);
    return true;
  }

  show(node: MoveNode): void {
    if (!this.rules) return;
    const position = this.rules.position(node.fen);
    this.store.set({ node, position: position.ok ? position : null, lines: [], promotion: null });
    this.think();
  }

  // ---- moving

  tryMove(from: string, to: string): boolean {
    const { position } = this.store.state;
    const fitting = movesBetween(position?.legal ?? [], from, to);
    if (!fitting.length) return false;
    if (fitting.length > 1) this.store.set({ promotion: { from, to } });
    else this.play(fitting[0]!);
    return true;
  }

  promote(choice: string): boolean {
    const { promotion, position } = this.store.state;
    this.store.set({ promotion: null });
    const move = position?.legal.find(({ uci }) => promotion && uci === promotion.from + promotion.to + choice);
    if (move) this.play(move);
    return !!move;
  }

  play({ uci, san }: LegalMove): void {
    const { tree, node } = this.store.state;
    const report = this.rules?.replay(node.fen, [uci], false);
    if (report?.ok) this.show(tree.add(node, uci, san, report.fens[1]!));
  }

  // Follows a line of the engine up to one of its moves.
  playLine(line: EngineLine, count: number): void {
    const { tree, node } = this.store.state;
    const moves = line.moves.slice(0, count);
    const report = this.rules?.replay(node.fen, moves, false);
    if (!report?.ok) return;
    let at = node;
    moves.forEach((uci, i) => (at = tree.add(at, uci, report.san[i]!, report.fens[i + 1]!)));
    this.show(at);
  }

  back(): void {
    const { node } = this.store.state;
    if (node.parent) this.show(node.parent);
  }

  forward(): void {
    const [next] = this.store.state.node.children;
    if (next) this.show(next);
  }

  first(): void {
    this.show(this.store.state.tree.root);
  }

  last(): void {
    const { tree, node } = this.store.state;
    this.show(tree.end(node));
  }

  removeHere(): void {
    const { tree, node } = this.store.state;
    this.show(tree.remove(node));
  }

  promoteHere(): void {
    const { tree, node } = this.store.state;
    tree.promote(node);
    this.store.set({});
  }

  // A FEN, or a PGN file's first game.
  read(text: string): boolean {
    const trimmed = text.trim();
    if (/^([pnbrqkPNBRQK1-8]+\/){7}/.test(trimmed)) return this.load(trimmed, []);
    const answer = this.rules?.readPgn(trimmed);
    if (!answer?.ok || !answer.games[0]) {
      this.store.set({ error: answer && !answer.ok ? answer.error : (answer?.errors[0] ?? '?') });
      return false;
    }
    const [game] = answer.games;
    const tree = new MoveTree(game.fen);
    const nodes: MoveNode[] = [];
    for (const { parent, uci, san, fen } of game.nodes) nodes.push(tree.add(nodes[parent] ?? tree.root, uci, san, fen));
    this.store.set({ tree, error: answer.errors[0] ?? '', evaluations: new Map(), evaluating: -1 });
    this.show(tree.root);
    return true;
  }

  // ---- thinking

  toggleEngine(): void {
    this.store.set({ engineOn: !this.store.state.engineOn, lines: [] });
    this.think();
  }

  forbidEngine(): void {
    this.store.set({ engineForbidden: true, engineOn: false, lines: [] });
    this.think();
  }

  setEvaluation(evaluation: AnalysisState['evaluation']): void {
    this.store.set({ evaluation, lines: [] });
    this.think();
  }

  setLines(lineCount: number): void {
    this.store.set({ lineCount, lines: [] });
    this.think();
  }

  // Judges every position of the main line, a moment each; the graph grows while it goes on.
  async evaluateGame(): Promise<void> {
    const { tree } = this.store.state;
    const engine = new BrowserEngine();
    const line = tree.lineThrough(tree.root);
    try {
      for (let done = 0; done < line.length; ++done) {
        if (this.closed || this.store.state.tree !== tree) return;
        this.store.set({ evaluating: done });
        const node = line[done]!;
        const score = await this.judge(engine, line.slice(0, done + 1));
        if (score) this.store.set({ evaluations: new Map(this.store.state.evaluations).set(node.id, score) });
      }
    } catch {
      this.store.set({ engineFailed: true });
    } finally {
      engine.close();
      if (this.store.state.tree === tree) this.store.set({ evaluating: -1 });
    }
  }

  private async judge(engine: BrowserEngine, path: readonly MoveNode[]): Promise<EngineScore | null> {
    const node = path[path.length - 1]!;
    const turn = turnOf(node.fen);
    const position = this.rules?.position(node.fen);
    if (!position?.ok) return null;
    if (!position.legal.length) return position.check ? { mate: turn === 'white' ? -0 : 0 } : { cp: 0 };
    let score: EngineScore | null = null;
    await engine.search(
      { fen: path[0]!.fen, moves: path.slice(1).map(({ uci }) => uci), options: { MultiPV: 1 }, limits: { movetime: 120 } },
      (line) => (score = whiteScore(line.score, turn)),
    );
    return score;
  }

  private think(): void {
    this.engine.stop();
    const { engineOn, node, tree, position, lineCount } = this.store.state;
    if (!engineOn || !position?.legal.length) return;
    const path = tree.path(node);
    const found = new Map<number, EngineLine>();
    this.engine
      .search(
        {
          fen: path[0]!.fen,
          moves: path.slice(1).map(({ uci }) => uci),
          options: { MultiPV: lineCount, Evaluation: this.store.state.evaluation },
          limits: { infinite: true },
        },
        (line) => {
          if (line.rank === 1 && line.depth > 1) for (const rank of [...found.keys()]) if (rank > lineCount) found.delete(rank);
          found.set(line.rank, line);
          // Redraw when a whole set has arrived.
          if (line.rank === Math.min(lineCount, position.legal.length) || found.size === 1)
            this.store.set({ lines: [...found.values()].sort((a, b) => a.rank - b.rank) });
        },
      )
      .catch((error: unknown) => {
        if (!(error instanceof Stopped)) this.store.set({ engineFailed: true, engineOn: false });
      });
  }
}
