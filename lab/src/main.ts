import { mount } from 'svelte';

import App from './App.svelte';
import './style.css';

const target = document.getElementById('app');
if (!target) throw new Error('the page has no place for the lab');
mount(App, { target });
