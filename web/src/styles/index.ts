// SPDX-License-Identifier: GPL-3.0-or-later
import './tokens.css';
import './base.css';
import './controls.css';
import './layout.css';
import './home.css';
import './pieces.css';
import '@lichess-org/chessground/assets/chessground.base.css';
import './board.css';
import './game.css';
import './analysis.css';
import './review.css';
import './pages.css';
import './low.css';
